package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.test.OwnThread;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several connections to each database make a query over several shards faster; they are not what it needs. */
@Tag("quick")
class ScatterWorkersIntegrationTests {
    private static final ScatterOptions OPTIONS =
            new ScatterOptions(1, 3, 8, Duration.ofMinutes(3), 100_000, 10_000, null);
    private static final String COUNT = "select count(*) from sharded_id_shard.photo p";

    @Test
    void aPoolThatHasOneConnectionLeftIsEnough() throws SQLException {
        try (ManyShards cluster = new ManyShards(12, OPTIONS)) {
            cluster.fill(new Random(1), 100);
            List<Connection> taken = new ArrayList<>();
            for (HikariDataSource pool : cluster.pools) {
                for (int i = 1; i < pool.getMaximumPoolSize(); i++) {
                    taken.add(pool.getConnection());
                }
            }
            assertThat(cluster.all(COUNT)).isEqualTo(cluster.plain(COUNT));
            for (Connection connection : taken) {
                connection.close();
            }
            await("connections that came too late are given back")
                    .untilAsserted(() -> assertThat(cluster.taken()).isZero());
        }
    }

    @Test
    void connectionsThatNobodyElseWantsAreUsed() throws Exception {
        try (ManyShards cluster = new ManyShards(6, OPTIONS);
                Connection other = cluster.databases.get(0).connect();
                Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("LOCK TABLE shard_0000.photo, shard_0002.photo IN ACCESS EXCLUSIVE MODE");
            CompletableFuture<List<String>> counts = OwnThread.supply(() -> {
                try {
                    return cluster.all(COUNT);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            await("two wait, and the third works")
                    .until(() -> cluster.pools.get(0).getHikariPoolMXBean().getTotalConnections() == 3);
            assertThat(counts).isNotDone();
            other.rollback();
            assertThat(counts.get(3, TimeUnit.MINUTES)).isEqualTo(cluster.plain(COUNT));
        }
    }
}
