package io.github.shardedid.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two shards go back and forth between two servers while two applications and plain sessions write to all. What is asserted
 * is said in {@link MoveOracle}.
 */
@Tag("attack")
@Tag("embedded-only")
class MoveAttackIntegrationTests {
    private static final Set<Integer> HOT = Set.of(1, 2);
    private static final int ROUNDS = Boolean.getBoolean("sharded-id.test.longer") ? 25 : 2;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path evidence;

    @Test
    void nothingIsLostAndNoCallFailsWhileShardsGoBackAndForth() throws SQLException {
        try (MoveAttack attack = new MoveAttack(evidence)) {
            attack.load(2, 1);

            List<String> done = attack.mover(orders()).awaitDone();

            assertThat(done).hasSize(4 * ROUNDS).allMatch(line -> line.contains(" DONE "));
            System.err.println(done);
            MoveOracle oracle = attack.judge(HOT);
            assertThat(oracle.faults()).isEmpty();
            assertThat(oracle.failures()).isEmpty();
            assertThat(oracle.acknowledged()).isPositive();
        }
    }

    private static List<String> orders() {
        List<String> orders = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            orders.addAll(List.of(
                    "move 1 pg2",
                    "move 2 pg1",
                    "drop 1 pg1",
                    "move 1 pg1",
                    "drop 2 pg2",
                    "move 2 pg2",
                    "drop 1 pg2",
                    "drop 2 pg1"));
        }
        return orders;
    }
}
