package io.github.shardedid.boot.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.boot.actuate.ShardedActuatorAutoConfiguration;
import io.github.shardedid.boot.app.DatabaseProperties;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.WireTap;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.UnownedShardException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * A start with a database that is down. The pools wait for it for longer than a test may take: so nothing else waits for a pool.
 */
@Timeout(120)
class StartWithoutDatabaseIntegrationTests {
    private static final Status DEGRADED = new Status("DEGRADED");
    private static final String MISSING_SCRIPT = "sharded-id.migrations=classpath:db/shard,classpath:db/late";

    private static final String LATE_TABLES = "SELECT 1 FROM pg_tables WHERE tablename = 'late'";

    private final TestDatabase one = PostgresServers.shared(1).newDatabase();
    private final TestDatabase two = PostgresServers.shared(2).newDatabase();

    private ApplicationContextRunner runner(String url) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(ShardedIdAutoConfiguration.class, ShardedActuatorAutoConfiguration.class))
                .withPropertyValues(DatabaseProperties.of("pg1", one).toArray(String[]::new))
                .withPropertyValues(DatabaseProperties.of("pg2", two).toArray(String[]::new))
                .withPropertyValues(
                        "sharded-id.shards=4",
                        "sharded-id.databases.pg1.shards=0-1",
                        "sharded-id.databases.pg2.shards=2-3",
                        "sharded-id.databases.pg2.url=" + url);
    }

    private void withoutSecond(boolean silent, Consumer<Running> test) {
        try (WireTap tap = new WireTap(two.server().port())) {
            runner(two.url()).run(context -> assertThat(context).hasNotFailed());
            if (silent) {
                tap.stall();
            } else {
                tap.cut();
            }
            runner(tap.url(two.name()))
                    .withPropertyValues("sharded-id.hikari.connection-timeout=600000", MISSING_SCRIPT)
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        try {
                            test.accept(new Running(context, tap));
                        } finally {
                            tap.restore();
                        }
                    });
        }
    }

    private record Running(AssertableApplicationContext context, WireTap tap) {
        ShardMap map() {
            return context.getBean(CurrentShardMap.class).get();
        }

        Health health() {
            CompositeHealthContributor all = context.getBean("dbHealthContributor", CompositeHealthContributor.class);
            return requireNonNull(((HealthIndicator) requireNonNull(all.getContributor("pg2"))).health());
        }

        Health mapHealth() {
            return requireNonNull(context.getBean("shardMapHealthIndicator", HealthIndicator.class)
                    .health());
        }

        void query(int shard) {
            ShardContext.run(shard, () -> {
                try (Connection connection = context.getBean(DataSource.class).getConnection();
                        Statement statement = connection.createStatement()) {
                    statement.execute("SELECT FROM late");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
        }

        void isUnavailable() {
            query(0);
            assertThatThrownBy(() -> query(2))
                    .hasRootCauseInstanceOf(UnownedShardException.class)
                    .hasStackTraceContaining("pg2");
            assertThat(health().getStatus()).isEqualTo(DEGRADED);
            assertThat(health().getDetails()).containsKeys("error", "unavailableBecause");
            assertThat(mapHealth().getStatus()).isEqualTo(DEGRADED);
            assertThat(mapHealth().getDetails()).containsEntry("unownedShards", "2-3");
        }

        void isServed() {
            await().untilAsserted(() -> assertThat(map().shardsOf("pg2")).containsExactly(2, 3));
            query(3);
            await().untilAsserted(() -> assertThat(health().getStatus()).isEqualTo(Status.UP));
            await().untilAsserted(() -> assertThat(mapHealth().getStatus()).isEqualTo(Status.UP));
        }
    }

    @Test
    void theShardsOfASilentOneAreServedOnceItIsMigrated() {
        withoutSecond(true, running -> {
            running.isUnavailable();
            running.tap.restore();
            running.isServed();
            assertThat(two.query(LATE_TABLES)).hasSize(2);
        });
    }

    @Test
    @Tag("quick")
    void theShardsOfOneThatRefusedAreNotServedWhileItDoesNotMatch() {
        withoutSecond(false, running -> {
            running.isUnavailable();
            two.execute("UPDATE sharded_id.cluster SET database_name = 'pg3'");
            running.tap.restore();
            await().untilAsserted(() -> {
                assertThat(running.map().unreachableReasons().get("pg2")).contains("provisioned under the name pg3");
                assertThat(running.health().getStatus()).isEqualTo(DEGRADED);
            });
            assertThatThrownBy(() -> running.query(2)).hasStackTraceContaining("provisioned under the name pg3");
            assertThat(two.query(LATE_TABLES)).isEmpty();

            two.execute("UPDATE sharded_id.cluster SET database_name = 'pg2'");
            running.isServed();
        });
    }
}
