package io.github.shardedid.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The class path of these tests has no Liquibase. */
class MissingLiquibaseTests {
    @Test
    void theMissingLibraryIsNamed() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ShardedIdAutoConfiguration.class))
                .withPropertyValues(
                        "sharded-id.shards=4",
                        "sharded-id.databases.pg1.url=jdbc:postgresql://localhost:1/none",
                        "sharded-id.databases.pg1.shards=0-3",
                        "sharded-id.migrations=",
                        "sharded-id.liquibase.change-log=classpath:db/changelog.yaml")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(ClusterConfigurationException.class.getName()
                                + ": sharded-id.liquibase.change-log is set. Liquibase is not on the class path")
                        .hasStackTraceContaining("Add io.github.shardedid:sharded-id-liquibase."));
    }
}
