package io.github.shardedid.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.ClusterConfigurationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The class path has Flyway scripts at the default places. */
class ChangeLogPropertiesTests {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ShardedIdAutoConfiguration.class))
            .withPropertyValues(
                    "sharded-id.shards=4",
                    "sharded-id.databases.pg1.url=jdbc:postgresql://localhost:1/none",
                    "sharded-id.databases.pg1.shards=0-3",
                    "sharded-id.liquibase.change-log=classpath:db/changelog.yaml");

    @ParameterizedTest
    @CsvSource({
        "sharded-id.map.poll=30s, db/shard has a Flyway script",
        "sharded-id.migrations=classpath:db/other, sharded-id.migrations is set to Flyway scripts",
        "sharded-id.migrations= sharded-id.liquibase.change-log=file:/etc/x.yaml, sharded-id.liquibase.change-log cannot be",
        "sharded-id.migrations= sharded-id.liquibase.global-change-log=db/x.yaml, sharded-id.global.database is not"
    })
    void whatCannotBeCombinedIsNamed(String settings, String message) {
        runner.withPropertyValues(settings.split(" ", -1)).run(context -> assertThat(context.getStartupFailure())
                .hasStackTraceContaining(ClusterConfigurationException.class.getName() + ": sharded-id.")
                .hasStackTraceContaining(message));
    }
}
