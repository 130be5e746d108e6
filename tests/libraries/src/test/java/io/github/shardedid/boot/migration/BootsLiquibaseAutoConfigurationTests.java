package io.github.shardedid.boot.migration;

import static org.assertj.core.api.Assertions.assertThat;

import liquibase.integration.spring.SpringLiquibase;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class BootsLiquibaseAutoConfigurationTests {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(BootsLiquibaseAutoConfiguration.class))
            .withUserConfiguration(Applications.class);

    /** A {@code SpringLiquibase} that tells whether it would run. */
    static final class Told extends SpringLiquibase {
        private boolean runs = true;

        @Override
        public void setShouldRun(boolean shouldRun) {
            runs = shouldRun;
        }

        @Override
        public void afterPropertiesSet() {
            // Nothing is migrated here.
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Applications {
        @Bean
        Told liquibase(@Value("${test.change-log:classpath:/db/changelog/db.changelog-master.yaml}") String changeLog) {
            Told told = new Told();
            told.setChangeLog(changeLog);
            return told;
        }
    }

    private boolean runs(String... properties) {
        boolean[] runs = new boolean[1];
        runner.withPropertyValues(properties).run(context -> runs[0] = context.getBean(Told.class).runs);
        return runs[0];
    }

    @Test
    void onlyOneWithoutAChangeLogDoesNotRunBesideThatOfTheShards() {
        String ours = "sharded-id.liquibase.change-log=db/shard/changelog.yaml";
        assertThat(runs(ours)).isFalse();
        assertThat(runs("sharded-id.liquibase.global-change-log=db/global.yaml"))
                .isFalse();
        assertThat(runs(ours, "test.change-log=classpath:/config/liquibase/master.xml"))
                .isTrue();
        assertThat(runs(ours, "spring.liquibase.enabled=true")).isTrue();
        assertThat(runs()).isTrue();
    }
}
