package io.github.shardedid.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.github.shardedid.attack.AttackCounts.Hit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four JVMs with all strategies and four plain SQL sessions on the same three shards and two tables of two servers, under
 * attack. What is asserted of which ids is said in {@link Oracle}.
 */
@Tag("attack")
@Tag("embedded-only")
class IdAttackIntegrationTests {
    private static final int JVMS = 4;
    private static final int SQL_WORKERS = 2;
    private static final Duration LEASE = Duration.ofSeconds(2);

    /** For the journals of the workers; kept only if the test fails. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path evidence;

    @Test
    void noIdComesTwiceWhileProcessesSessionsAndClocksAreHit() {
        attack(EnumSet.complementOf(EnumSet.of(Hit.CRASHES)), 20);
    }

    /** One class of ids may come again over a crash: those that a database returned and that were never committed. */
    @Test
    void noIdComesTwiceWhileServersCrashToo() {
        attack(EnumSet.allOf(Hit.class), 20);
    }

    /** On a busy machine the first attack may be too weak to say anything; a fault counts in any. */
    private void attack(Set<Hit> hits, int seconds) {
        String weakness = "";
        for (int attempt = 0; attempt < 3; attempt++) {
            weakness = attackOnce(hits, seconds << attempt);
            if (weakness.isEmpty()) {
                return;
            }
        }
        fail("Even the longest attack was too weak: %s", weakness);
    }

    /** Says in what the attack was too weak; nothing if it was not. */
    private String attackOnce(Set<Hit> hits, int seconds) {
        Path directory = AttackSettings.directoryIn(evidence);
        Random random = new Random(AttackSettings.seed());
        try (AttackedCluster cluster = AttackedCluster.ofTwoServers()) {
            AttackCounts counts;
            try (Workers workers =
                    new Workers(number -> cluster.options(directory, number, random.nextLong(), LEASE, ""))) {
                for (int i = 0; i < JVMS; i++) {
                    workers.start(JvmWorker.class);
                }
                for (int i = 0; i < SQL_WORKERS; i++) {
                    workers.start(SqlWorker.class);
                }
                Attacker attacker = new Attacker(cluster, workers, random, hits);
                attacker.run(AttackSettings.duration(seconds));
                counts = attacker.counts();
            }
            Verdict verdict = new Oracle(cluster, directory, counts.crashes(), false).judge();
            System.err.println("Attack: " + verdict + "; " + counts + "; files in " + directory);

            assertThat(verdict.faults()).isEmpty();
            return weakness(hits, counts, verdict);
        }
    }

    private static String weakness(Set<Hit> hits, AttackCounts counts, Verdict verdict) {
        // The leases may be locked by others each time.
        if (!hits.stream().allMatch(hit -> hit == Hit.LOCKED_LEASES || counts.of(hit) > 0)) {
            return "not hits of all kinds, " + counts;
        }
        if (verdict.ofJvm() == 0 || verdict.committed() == 0) {
            return "no ids made by JVMs, or no row acknowledged";
        }
        return verdict.publishedDuplicates() == 0 ? "the published function made no duplicate" : "";
    }
}
