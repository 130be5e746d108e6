package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.test.InstalledPostgresServer;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.ArrayList;
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
            refused(
                    cluster,
                    "pg2",
                    "Source pg1: wal_level is replica. Run ALTER SYSTEM SET wal_level = 'logical'",
                    "Source pg1: max_replication_slots is 1, of which 0 are in use",
                    "Run ALTER SYSTEM SET max_replication_slots = ",
                    "Source pg1: max_wal_senders is 1, of which 0 are in use",
                    "offline");
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
        String origins = originsSetting();
        try (PostgresServer tight = PostgresServers.start(Map.of(
                        "max_logical_replication_workers",
                        "1",
                        "max_worker_processes",
                        "1",
                        origins,
                        "1",
                        "max_sync_workers_per_subscription",
                        "0"));
                MovingCluster cluster = new MovingCluster(PostgresServers.shared(1), tight)) {
            refused(
                    cluster,
                    "pg2",
                    "Target pg2: max_logical_replication_workers is 1",
                    "Target pg2: max_worker_processes is 1",
                    "Target pg2: " + origins + " is 1",
                    "Target pg2: max_sync_workers_per_subscription is 0");
            movedOffline(cluster, "pg2");
        }
    }

    /** A server that does not know a setting does not start. */
    private static String originsSetting() {
        return new TestDatabase(PostgresServers.shared(1), "postgres")
                .query("SELECT CASE WHEN current_setting('server_version_num')::int < 180000"
                        + " THEN 'max_replication_slots' ELSE 'max_active_replication_origins' END")
                .get(0);
    }

    /** As a plan's third move begins while the second one still runs. */
    @Test
    void aMoveUnderWayIsNotInTheWayOfTheOtherOneAtOnce() {
        List<String> obstacles = new ArrayList<>(List.of("not asked"));
        try (PostgresServer tight = PostgresServers.start(Map.of("max_logical_replication_workers", "4"));
                MovingCluster cluster = new MovingCluster(PostgresServers.shared(1), tight)) {
            ShardMover two = cluster.mover(cluster.options().withConcurrentMoves(2));
            ShardMover three = cluster.mover(cluster.options().withConcurrentMoves(3));
            cluster.mover(cluster.options().withListener(progress -> {
                        if (progress.step() == MoveStep.CATCH_UP) {
                            obstacles.clear();
                            obstacles.addAll(two.check(0, "pg2"));
                            assertThat(three.check(0, "pg2"))
                                    .anyMatch(
                                            line -> line.contains("max_logical_replication_workers is 4, of which 0"));
                        }
                    }))
                    .move(MovingCluster.SHARD, "pg2");
        }
        assertThat(obstacles).isEmpty();
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
                        "Target pg2: shard_mover may not create subscriptions (SQL state 42501). ",
                        "Only superusers create subscriptions in PostgreSQL " + major
                                + ". Move with a superuser, or offline. An offline move is possible as it is: it copies the"
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
