package io.github.shardedid.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.move.ClusterRecovery;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.ShardMapKeeper;
import io.github.shardedid.topology.CurrentShardMap;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The mover is killed (SIGKILL) at a step, under load; another one resumes the move, or takes it back. */
@Tag("attack")
@Tag("embedded-only")
class MoverKilledIntegrationTests {
    private static final int SHARD = 1;
    private static final Set<MoveStep> FEW = EnumSet.of(MoveStep.COPY, MoveStep.CARRY_OVER, MoveStep.SWITCH);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path evidence;

    @Test
    void aMoveWhoseMoverIsKilledIsResumedOrTakenBackAndNobodyNotices() throws SQLException {
        try (MoveAttack attack = new MoveAttack(evidence)) {
            attack.load(1, 1);
            for (MoveStep step : steps()) {
                String target = kill(attack, step);
                assertThat(mover(attack).resume(SHARD).step()).isEqualTo(MoveStep.DONE);
                assertThat(attack.cluster().map().databaseOf(SHARD)).isEqualTo(target);

                target = kill(attack, step);
                boolean switched = takeBack(mover(attack));
                assertThat(attack.cluster().map().databaseOf(SHARD)).isEqualTo(switched ? target : other(target));
                assertThat(switched).isEqualTo(step == MoveStep.CLEAN_UP);
            }
            MoveOracle oracle = attack.judge(Set.of(SHARD));
            assertThat(oracle.faults()).isEmpty();
            assertThat(oracle.failures()).isEmpty();
            assertNothingIsLeft(attack);
        }
    }

    @Test
    void aMoveWhoseMoverIsKilledIsCompletedByAnotherInstanceAndNobodyNotices() throws SQLException {
        try (MoveAttack attack = new MoveAttack(evidence)) {
            CurrentShardMap map = attack.cluster().currentMap();
            Map<String, DataSource> sources = attack.cluster().sources();
            attack.load(1, 1);
            try (ShardMapKeeper keeper = new ShardMapKeeper(map, sources);
                    ClusterRecovery recovery = new ClusterRecovery(map, sources, () -> mover(attack), null)) {
                for (MoveStep step : steps()) {
                    assertCompleted(attack, kill(attack, step));
                }
            }
            MoveOracle oracle = attack.judge(Set.of(SHARD));
            assertThat(oracle.faults()).isEmpty();
            assertThat(oracle.failures()).isEmpty();
            assertNothingIsLeft(attack);
        }
    }

    /** The shard is served again, and the move ends, without anybody's doing. */
    private static void assertCompleted(MoveAttack attack, String target) {
        await().until(() -> isServed(attack));
        await().until(() -> mover(attack).moves().get(0).step() == MoveStep.DONE);
        assertThat(attack.cluster().map().databaseOf(SHARD)).isEqualTo(target);
    }

    private static boolean isServed(MoveAttack attack) {
        return attack.cluster().databases().values().stream()
                        .flatMap(database ->
                                database.query("SELECT state FROM sharded_id.shard WHERE shard = " + SHARD).stream())
                        .filter(state -> List.of("ACTIVE", "MOVING").contains(state))
                        .count()
                == 1;
    }

    private static List<MoveStep> steps() {
        return Arrays.stream(MoveStep.values())
                .filter(step -> step.compareTo(MoveStep.CLEAN_UP) <= 0)
                .filter(step -> Boolean.getBoolean("sharded-id.test.longer") || FEW.contains(step))
                .toList();
    }

    /** Begins to move the shard away from where it is, up to a step; returns where it was to go. */
    private static String kill(MoveAttack attack, MoveStep step) {
        String target = other(attack.cluster().map().databaseOf(SHARD));
        MoveAttack.MoverRun run = attack.mover(List.of("move " + SHARD + " " + target + " " + step));
        assertThat(run.awaitLine("at " + step))
                .as("reaches %s: %s", step, run.told())
                .isTrue();
        run.kill();
        return target;
    }

    /** Whether it was too late. */
    private static boolean takeBack(ShardMover mover) {
        try {
            Move move = mover.abort(SHARD);
            assertThat(move.step()).isEqualTo(MoveStep.ABORTED);
            return false;
        } catch (MoveRefusedException e) {
            assertThat(mover.resume(SHARD).step()).isEqualTo(MoveStep.DONE);
            return true;
        }
    }

    private static ShardMover mover(MoveAttack attack) {
        return attack.cluster().mover(MoveOptions.DEFAULT);
    }

    private static String other(String database) {
        return database.equals("pg1") ? "pg2" : "pg1";
    }

    static void assertNothingIsLeft(MoveAttack attack) {
        attack.cluster().databases().forEach((name, database) -> {
            assertThat(database.query("SELECT slot_name FROM pg_replication_slots"))
                    .as("slots of %s", name)
                    .isEmpty();
            assertThat(database.query("SELECT subname FROM pg_subscription"))
                    .as("subscriptions of %s", name)
                    .isEmpty();
            assertThat(database.query("SELECT pubname FROM pg_publication"))
                    .as("publications of %s", name)
                    .isEmpty();
        });
    }
}
