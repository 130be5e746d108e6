package io.github.shardedid.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MoveStep;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Set;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application is suspended (SIGSTOP) over a whole move, with open connections, prepared statements and an old map. When it
 * wakes up it goes on at the new home, and has written nothing to the old one: {@link MoveOracle} looks at the old copy, too.
 */
@Tag("attack")
@Tag("embedded-only")
class SuspendedApplicationIntegrationTests {
    private static final int SHARD = 1;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path evidence;

    @Test
    void anApplicationThatSleepsOverAMoveWritesNothingToTheOldHome() throws SQLException {
        try (MoveAttack attack = new MoveAttack(evidence)) {
            attack.load(1, 1);
            int sleeper = 0;
            int plain = 1;
            suspend(attack, sleeper);
            suspend(attack, plain);

            assertThat(attack.cluster()
                            .mover(MoveOptions.DEFAULT)
                            .move(SHARD, "pg2")
                            .step())
                    .isEqualTo(MoveStep.DONE);

            long lines = attack.linesOf(sleeper);
            long plainLines = attack.linesOf(plain);
            attack.worker(sleeper).goOn();
            attack.worker(plain).goOn();
            Awaitility.await().until(() -> attack.linesOf(sleeper) > lines + 200);
            Awaitility.await().until(() -> attack.linesOf(plain) > plainLines + 200);
            MoveOracle oracle = attack.judge(Set.of(SHARD));
            assertThat(oracle.faults()).isEmpty();
            assertThat(oracle.failures()).isEmpty();
        }
    }

    /** At a moment when it has no transaction open: a move waits for those that have used the shard. */
    private static void suspend(MoveAttack attack, int number) {
        Awaitility.await().until(() -> {
            attack.worker(number).stop();
            // What it sent last may still be on its way to the server.
            boolean idle = IntStream.range(0, 50).allMatch(look -> isIdle(attack, number));
            if (!idle) {
                attack.worker(number).goOn();
            }
            return idle;
        });
    }

    private static boolean isIdle(MoveAttack attack, int number) {
        return attack.cluster().databases().values().stream()
                .allMatch(database -> database.queryLong("SELECT count(*) FROM pg_stat_activity"
                                + " WHERE datname = current_database() AND state <> 'idle' AND application_name = '"
                                + BankCluster.applicationName(number) + "'")
                        == 0);
    }
}
