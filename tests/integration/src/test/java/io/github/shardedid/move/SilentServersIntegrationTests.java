package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.WireTap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A server falls silent, or stops, while a living mover works behind the fence. */
@Timeout(60)
class SilentServersIntegrationTests {
    private final MovingCluster cluster = new MovingCluster();
    private final WireTap source = tap("pg1");
    private final WireTap target = tap("pg2");
    private final WireTap replication = tap("pg1");
    private final List<String> rows = filled();

    @AfterEach
    void close() {
        List.of(source, target, replication).forEach(WireTap::close);
        cluster.close();
    }

    private WireTap tap(String name) {
        return new WireTap(cluster.database(name).server().port());
    }

    private List<String> filled() {
        cluster.fill(100);
        return cluster.rows("pg1");
    }

    private DataSource through(WireTap tap, String name) {
        TestDatabase database = cluster.database(name);
        PGSimpleDataSource tapped = new PGSimpleDataSource();
        tapped.setUrl(tap.url(database.name()));
        tapped.setUser(database.server().username());
        tapped.setPassword(database.server().password());
        return tapped;
    }

    private ShardMover mover(MoveListener listener) {
        TestDatabase database = cluster.database("pg1");
        Map<String, ReplicationSource> reach = new TreeMap<>();
        reach.put(
                "pg1",
                new ReplicationSource(
                        "localhost",
                        replication.port(),
                        database.name(),
                        database.server().username(),
                        database.server().password()));
        return new ShardMover(
                cluster.definition(),
                Map.of("pg1", through(source, "pg1"), "pg2", through(target, "pg2")),
                ShardMigrations.at(MovingCluster.SCRIPTS),
                cluster.options().withReplicationSources(reach).withListener(listener));
    }

    private void resumed() {
        List.of(source, target, replication).forEach(WireTap::restore);
        await().ignoreExceptionsMatching(MovingCluster::busy).untilAsserted(() -> assertThat(
                        cluster.mover().resume(MovingCluster.SHARD).step())
                .isEqualTo(MoveStep.DONE));
        assertThat(cluster.rows("pg2")).isEqualTo(rows);
    }

    @Test
    void aTargetThatFallsSilentBehindTheFenceLeavesTheShardToItsSource() {
        ShardMover mover = mover(progress -> {
            if (progress.step() == MoveStep.CARRY_OVER) {
                target.stall();
            }
        });
        assertThatThrownBy(() -> mover.move(MovingCluster.SHARD, "pg2"))
                .isInstanceOf(MoveUnfinishedException.class)
                .hasMessageContaining("I/O error");
        assertThat(cluster.states()).contains("pg1 1 MOVING");
        assertThat(cluster.rows("pg1")).isEqualTo(rows);
        resumed();
    }

    @Test
    void theLastWritesAreNotWaitedForIfTheSourceHasStopped() {
        ShardMover mover = mover(progress -> {
            if (progress.step() == MoveStep.FENCE) {
                replication.stall();
            } else if (progress.step() == MoveStep.CARRY_OVER) {
                source.cut();
            }
        });
        assertThatThrownBy(() -> mover.move(MovingCluster.SHARD, "pg2"))
                .isInstanceOf(MoveUnfinishedException.class)
                .hasMessageContaining("I/O error");
        assertThat(cluster.states()).contains("pg1 1 FENCED");
        resumed();
    }
}
