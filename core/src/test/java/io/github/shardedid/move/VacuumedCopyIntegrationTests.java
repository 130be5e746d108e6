package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The target's new tables are vacuumed just when the shard is switched to it. */
@Tag("embedded-only")
class VacuumedCopyIntegrationTests {
    private static final int ROWS = 20_000;

    /** Vacuums the largest table at once, and hardly gets on; who waits for its lock would wait for ten minutes. */
    private static final Map<String, String> SLOW_VACUUM = Map.of(
            "autovacuum_naptime", "1s",
            "autovacuum_vacuum_threshold", "15000",
            "autovacuum_analyze_threshold", "15000",
            "autovacuum_vacuum_insert_threshold", "15000",
            "autovacuum_vacuum_insert_scale_factor", "0",
            "autovacuum_vacuum_cost_delay", "100ms",
            "autovacuum_vacuum_cost_limit", "1",
            "deadlock_timeout", "600s");

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void theSwitchDoesNotWaitForAnAutovacuum() {
        AtomicBoolean vacuumed = new AtomicBoolean();
        try (PostgresServer vacuuming = PostgresServers.start(SLOW_VACUUM);
                MovingCluster cluster = new MovingCluster(PostgresServers.shared(1), vacuuming)) {
            cluster.fill(ROWS);

            cluster.mover(cluster.options().withListener(progress -> {
                        if (progress.step() == MoveStep.SWITCH) {
                            awaitVacuum(cluster);
                            vacuumed.set(true);
                        }
                    }))
                    .move(MovingCluster.SHARD, "pg2");

            assumeTrue(vacuumed.get(), "The server did not begin to vacuum");
            assertThat(cluster.home()).isEqualTo("pg2");
        }
    }

    private static void awaitVacuum(MovingCluster cluster) {
        await().atMost(20, TimeUnit.SECONDS)
                .until(() -> cluster.database("pg2")
                                .queryLong(
                                        "SELECT count(*) FROM pg_stat_progress_vacuum v JOIN pg_class c ON c.oid = v.relid"
                                                + " WHERE c.relnamespace = 'shard_0001'::regnamespace")
                        > 0);
    }
}
