package io.github.shardedid.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.boot.actuate.ShardedActuatorAutoConfiguration;
import io.github.shardedid.boot.autoconfigure.ShardedConnectionDetails.Connection;
import io.github.shardedid.boot.startup.MovedShards;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.CurrentShardMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Databases are reached as beans say; their names and shards are properties. */
class ConnectionDetailsIntegrationTests {
    private final MovedShards cluster = new MovedShards();
    private final Map<String, TestDatabase> databases = Map.of("pg1", cluster.pg1(), "pg2", cluster.pg2());
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(ShardedIdAutoConfiguration.class, ShardedActuatorAutoConfiguration.class))
            .withPropertyValues(
                    "sharded-id.shards=4",
                    "sharded-id.migrations=",
                    "sharded-id.databases.pg1.shards=0-1",
                    "sharded-id.databases.pg2.shards=2-3",
                    "sharded-id.databases.pg2.url=jdbc:postgresql://localhost:1/elsewhere",
                    "management.endpoints.web.exposure.include=shards");

    private Connection connection(String name) {
        TestDatabase database = java.util.Objects.requireNonNull(databases.get(name));
        return new Connection(
                database.url(), database.server().username(), database.server().password());
    }

    @Test
    void aBeanCountsMoreThanProperties() {
        runner.withBean(ShardedConnectionDetails.class, () -> this::connection).run(context -> {
            assertThat(context.getBean(CurrentShardMap.class).get().shardsOf("pg2"))
                    .containsExactly(2, 3);
            assertThat(context).hasBean("shardedIdBackgroundMoves");
        });
    }

    @Test
    void aCustomizerBringsAnyDataSource() {
        runner.withPropertyValues("sharded-id.databases.pg2.url=")
                .withBean(
                        ShardedPoolCustomizer.class,
                        () -> (name, pool) -> pool.setDataSource(java.util.Objects.requireNonNull(databases.get(name))
                                .dataSource()))
                .run(context -> {
                    assertThat(context.getBean(CurrentShardMap.class).get().shardsOf("pg2"))
                            .containsExactly(2, 3);
                    ConfiguredCluster cluster = ConfiguredCluster.of(context.getEnvironment())
                            .with(ConnectionBeans.of(context.getSourceApplicationContext()));
                    try (ShardedDatabases pools = cluster.openPools()) {
                        for (var pool : pools.forMap().values()) {
                            pool.getConnection().close();
                        }
                    }
                });
    }

    @Test
    void aDatabaseThatNobodyKnowsIsNamed() {
        runner.withBean(ShardedConnectionDetails.class, () -> name -> name.equals("pg2") ? connection(name) : null)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(
                                "sharded-id.databases.pg1.url is not set, and no ShardedConnectionDetails"));
    }
}
