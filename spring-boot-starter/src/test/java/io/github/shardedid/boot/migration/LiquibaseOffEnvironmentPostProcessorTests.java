package io.github.shardedid.boot.migration;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.env.MockEnvironment;

class LiquibaseOffEnvironmentPostProcessorTests {
    private static @Nullable String enabled(MockEnvironment environment) {
        new LiquibaseOffEnvironmentPostProcessor().postProcessEnvironment(environment, new SpringApplication());
        return environment.getProperty("spring.liquibase.enabled");
    }

    private static MockEnvironment withChangeLog() {
        return new MockEnvironment().withProperty("sharded-id.liquibase.change-log", "db/shard/changelog.yaml");
    }

    @Test
    void keepsBootsLiquibaseOffUnlessItHasAChangeLog() {
        assertThat(enabled(withChangeLog())).isEqualTo("false");
        assertThat(enabled(withChangeLog().withProperty("spring.liquibase.enabled", "true")))
                .isEqualTo("true");
        assertThat(enabled(withChangeLog().withProperty("spring.liquibase.change-log", "db/mine.yaml")))
                .isNull();
        assertThat(enabled(new MockEnvironment())).isNull();
    }

    @Test
    void isCalledByBoot() {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Empty.class)
                .web(WebApplicationType.NONE)
                .properties("sharded-id.liquibase.change-log=db/shard/changelog.yaml", "spring.main.banner-mode=off")
                .run()) {
            assertThat(context.getEnvironment().getProperty("spring.liquibase.enabled"))
                    .isEqualTo("false");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Empty {}
}
