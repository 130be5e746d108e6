package io.github.shardedid.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.attack.AttackCounts.Crash;
import io.github.shardedid.attack.AttackCounts.Hit;
import io.github.shardedid.test.ClockSeam;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * An asynchronous standby, seconds behind, is promoted while JVMs go on with leases that it never heard of. Asserted is what
 * {@link Oracle} says, of the rows that survive and of all ids that JVMs were given; ids that the lost server returned for
 * rows that were never replicated are gone with it, and their coming again is counted only.
 *
 * <p>The clock goes on as ever: a promoted server whose clock is behind is no part of the promise.
 */
@Tag("attack")
@Tag("embedded-only")
class FailoverAttackIntegrationTests {
    private static final int JVMS = 4;
    private static final int SQL_WORKERS = 2;
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration LONGEST_LEASE = Duration.ofMinutes(5);

    /** For the journals of the workers; kept only if the test fails. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path evidence;

    private final Random random = new Random(AttackSettings.seed());

    @Test
    void aPromotedStandbyGrantsNoLeaseUntilThoseThatItMissedHaveRunOut() throws SQLException {
        long end = System.nanoTime() + AttackSettings.duration(0).toNanos();
        do {
            failOver(AttackSettings.directoryIn(evidence));
        } while (System.nanoTime() - end < 0);
    }

    private void failOver(Path directory) throws SQLException {
        try (AttackedCluster cluster = AttackedCluster.ofOneServer();
                Failover failover = new Failover(cluster)) {
            Attacker attacker;
            Crash crash;
            long lost;
            try (Workers workers = new Workers(
                    number -> cluster.options(directory, number, random.nextLong(), LEASE, failover.furtherHost()))) {
                start(workers, JVMS, SQL_WORKERS);
                attacker = new Attacker(
                        cluster, workers, random, EnumSet.of(Hit.KILLS, Hit.STOPS, Hit.CANCELS, Hit.TERMINATES));
                attacker.runUntil(() -> failover.leases() >= JVMS);
                failover.cut();
                start(workers, 2, 0);
                attacker.runUntil(() -> failover.missed().size() >= JVMS);
                crash = fail(failover);
                List<String> windows = failover.windows();
                attacker.runUntil(() -> underLostLeases(cluster, crash) > 0);
                attacker.run(Duration.ofSeconds(5));
                assertThat(failover.windows()).as("windows granted meanwhile").isEqualTo(windows);
                assertThat(failover.answers()).containsExactly("EARLIER_LEASES");
                lost = underLostLeases(cluster, crash);
                step(cluster);
                attacker.runUntil(() -> !failover.windows().equals(windows));
            }
            judge(new Oracle(cluster, directory, List.of(crash), true), attacker, lost);
        }
    }

    private static void start(Workers workers, int jvms, int sqlWorkers) {
        for (int i = 0; i < jvms; i++) {
            workers.start(JvmWorker.class);
        }
        for (int i = 0; i < sqlWorkers; i++) {
            workers.start(SqlWorker.class);
        }
    }

    private static Crash fail(Failover failover) {
        long from = System.currentTimeMillis();
        List<String> missed = failover.promote();
        Crash crash = new Crash(0, from, System.currentTimeMillis());
        assertThat(missed).as("leases that the standby never heard of").isNotEmpty();
        assertThat(failover.answers()).doesNotContain("granted");
        return crash;
    }

    private static void step(AttackedCluster cluster) throws SQLException {
        try (Connection connection = cluster.databases().get(0).connect()) {
            ClockSeam.set(connection, LONGEST_LEASE);
        }
    }

    /** How many rows the new server has with ids of leases of the old one: it has granted none itself so far. */
    private static long underLostLeases(AttackedCluster cluster, Crash crash) {
        long rows = 0;
        for (int shard = 0; shard < Place.SHARDS; shard++) {
            Place place = new Place(shard, Place.TABLES.get(0));
            rows += cluster.home(shard)
                    .queryLong("SELECT count(*) FROM " + place.qualified() + " WHERE id & 1023 >= 512 AND made"
                            + " > to_timestamp(" + crash.to() + " / 1000.0)");
        }
        return rows;
    }

    private static void judge(Oracle oracle, Attacker attacker, long lost) {
        Verdict verdict = oracle.judge();
        System.err.println("Failover: " + verdict + "; " + attacker.counts() + ", rows under lost leases " + lost);

        assertThat(verdict.faults()).isEmpty();
    }
}
