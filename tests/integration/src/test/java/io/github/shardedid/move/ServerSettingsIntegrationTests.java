package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.test.InstalledPostgresServer;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers that cannot replicate as they are set up: a move is refused before it starts, with what to change; offline it goes. */
@Tag("restarts")
@Tag("embedded-only")
class ServerSettingsIntegrationTests {
    @Test
    void aSourceWithoutLogicalDecodingAndWithoutRoomIsToldAndMovedOffline() {
        try (PostgresServer tight = PostgresServers.start(
                        Map.of("wal_level", "replica", "max_replication_slots", "1", "max_wal_senders", "1"));
                MovingCluster cluster = new MovingCluster(tight, PostgresServers.shared(2))) {
            refused(cluster, "pg2", "Source pg1: the server creates no replication slot", "wal_level", "offline");
            movedOffline(cluster, "pg2");
            refusedAsTarget(cluster);
        }
    }

    /** The same server as the target: it has workers enough, but cannot be left again. */
    private static void refusedAsTarget(MovingCluster cluster) {
        assertThat(cluster.mover().check(MovingCluster.SHARD, "pg1")).noneMatch(line -> line.contains("wal_level"));
    }

    @Test
    void aTargetWithoutWorkersIsToldAndMovedToOffline() {
        try (PostgresServer tight = PostgresServers.start(
                        Map.of("max_logical_replication_workers", "0", "max_sync_workers_per_subscription", "0"));
                MovingCluster cluster = new MovingCluster(PostgresServers.shared(1), tight)) {
            refused(
                    cluster,
                    "pg2",
                    "Target pg2: max_logical_replication_workers is 0",
                    "Target pg2: max_sync_workers_per_subscription is 0");
            movedOffline(cluster, "pg2");
        }
    }

    @Test
    void beforePostgres16OnlyASuperuserSubscribesAndOthersMoveOffline() {
        var binaries = InstalledPostgresServer.binaries();
        Assumptions.assumeTrue(binaries.isPresent(), "No PostgreSQL is installed");
        try (InstalledPostgresServer installed = new InstalledPostgresServer(binaries.orElseThrow())) {
            String major = new TestDatabase(installed, "postgres")
                    .query("SELECT current_setting('server_version_num')::int / 10000")
                    .get(0);
            Assumptions.assumeTrue(Integer.parseInt(major) < 16, "PostgreSQL " + major);
            ServerAsRole target = ServerAsRole.on(installed, "shard_mover");
            ServerAsRole source = ServerAsRole.on(PostgresServers.shared(1), "shard_mover");
            new TestDatabase(PostgresServers.shared(1), "postgres").execute("ALTER ROLE shard_mover REPLICATION");
            try (MovingCluster cluster = new MovingCluster(source, target)) {
                refused(
                        cluster,
                        "pg2",
                        "Target pg2: shard_mover may not create subscriptions (SQL state 42501): ",
                        "before PostgreSQL 16, only superusers subscribe. An offline move is possible as it is: it copies the"
                                + " rows while the shard is fenced.");
                movedOffline(cluster, "pg2");
            }
        }
    }

    private static void refused(MovingCluster cluster, String target, String... why) {
        cluster.fill(20);
        List<String> before = cluster.everything("pg1");
        assertThat(String.join("\n", cluster.mover().check(MovingCluster.SHARD, target)))
                .contains(why);
        assertThatThrownBy(() -> cluster.mover().move(MovingCluster.SHARD, target))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContainingAll(why)
                .hasMessageContaining("Nothing was changed");
        assertThat(cluster.mover().moves()).isEmpty();
        assertThat(cluster.everything("pg1")).isEqualTo(before);
        assertThat(cluster.states()).containsExactly("pg1 1 ACTIVE");
        assertThat(cluster.leftovers()).isEmpty();
    }

    private static void movedOffline(MovingCluster cluster, String target) {
        List<String> rows = cluster.rows("pg1");
        assertThat(cluster.mover().moveOffline(MovingCluster.SHARD, target).step())
                .isEqualTo(MoveStep.DONE);
        assertThat(cluster.rows(target)).isEqualTo(rows);
        assertThat(cluster.home()).isEqualTo(target);
        assertThat(cluster.leftovers()).isEmpty();
    }
}
