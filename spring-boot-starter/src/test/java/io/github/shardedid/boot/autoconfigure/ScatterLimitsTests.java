package io.github.shardedid.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.routing.ScatterOptions;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class ScatterLimitsTests {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ShardedIdAutoConfiguration.class))
            .withUserConfiguration(FixedMap.class)
            .withPropertyValues(
                    "sharded-id.shards=8",
                    "sharded-id.databases.pg1.url=jdbc:postgresql://localhost:1/app",
                    "sharded-id.databases.pg2.url=jdbc:postgresql://localhost:1/app");

    private void runs(int queries, String... properties) {
        runner.withPropertyValues(properties)
                .run(context -> assertThat(context.getBean(ScatterOptions.class).concurrentQueries())
                        .isEqualTo(queries));
    }

    @Test
    void asManyQueriesRunAtOnceAsTheSmallestPoolHasConnectionsFor() {
        runs(8);
        runs(3, "sharded-id.databases.pg2.hikari.maximum-pool-size=3");
        runs(1, "sharded-id.hikari.maximum-pool-size=1");
        runs(2, "sharded-id.hikari.maximum-pool-size=3", "sharded-id.all-shards.concurrent-queries=2");
    }
}
