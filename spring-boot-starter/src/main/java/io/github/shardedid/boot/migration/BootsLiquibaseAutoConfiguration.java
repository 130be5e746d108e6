package io.github.shardedid.boot.migration;

import java.util.List;
import liquibase.integration.spring.SpringLiquibase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/**
 * Keeps Boot's own Liquibase from running if the provisioner runs change logs, and the default one, which Boot's would fail without,
 * does not exist. A {@code SpringLiquibase} with another change log, such as one of the application, runs.
 */
@AutoConfiguration
@ConditionalOnClass(SpringLiquibase.class)
final class BootsLiquibaseAutoConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(BootsLiquibaseAutoConfiguration.class);
    private static final String DEFAULT = "classpath:/db/changelog/db.changelog-master.yaml";
    private static final List<String> OURS =
            List.of("sharded-id.liquibase.change-log", "sharded-id.liquibase.global-change-log");

    @Bean
    static BeanPostProcessor bootsLiquibaseWithoutChangeLog(Environment environment, ResourceLoader resources) {
        return new WithoutChangeLog(environment, resources);
    }

    /** Earlier than others, which may need a data source that Liquibase migrates before. */
    private record WithoutChangeLog(Environment environment, ResourceLoader resources)
            implements BeanPostProcessor, AopInfrastructureBean, PriorityOrdered {
        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }

        @Override
        public Object postProcessBeforeInitialization(Object bean, String beanName) {
            if (bean instanceof SpringLiquibase liquibase
                    && DEFAULT.equals(liquibase.getChangeLog())
                    && OURS.stream().anyMatch(environment::containsProperty)
                    && !environment.containsProperty("spring.liquibase.enabled")
                    && !resources.getResource(DEFAULT).exists()) {
                LOG.info(
                        "Boot's own Liquibase does not run, as there is no change log {} beside that of the shards",
                        DEFAULT);
                liquibase.setShouldRun(false);
            }
            return bean;
        }
    }
}
