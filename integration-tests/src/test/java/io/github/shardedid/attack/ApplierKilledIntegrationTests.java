package io.github.shardedid.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.move.ClusterRecovery;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.ReleasesCluster;
import io.github.shardedid.provisioning.map.ShardMapKeeper;
import io.github.shardedid.topology.CurrentShardMap;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A mover that copies and applies changes itself, as before PostgreSQL 16 without a superuser, is killed (SIGKILL) under load: the
 * move is taken back, or completed by another instance.
 */
@Tag("attack")
@Tag("embedded-only")
class ApplierKilledIntegrationTests {
    private static final List<MoveStep> STEPS = List.of(MoveStep.COPY, MoveStep.CARRY_OVER, MoveStep.SWITCH);

    /** The changes that the mover has applied at the target, by the position of the log; no rows if there is no such move. */
    private static final String APPLIED =
            "SELECT value FROM shard_0001.sharded_id_move_progress WHERE kind = 'applied'";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path evidence;

    @Test
    void aMoverThatIsKilledWhileItAppliesIsReplacedAndNobodyNotices() throws SQLException {
        BankCluster bank = new BankCluster(ReleasesCluster.serverOf(15), ReleasesCluster.serverOf(15));
        try (MoveAttack attack = new MoveAttack(evidence, bank)) {
            CurrentShardMap map = bank.currentMap();
            Map<String, DataSource> sources = bank.sources();
            attack.load(1, 1);
            assertTakenBack(attack);
            try (ShardMapKeeper keeper = new ShardMapKeeper(map, sources);
                    ClusterRecovery recovery =
                            new ClusterRecovery(map, sources, () -> MoverKilledIntegrationTests.mover(attack))) {
                for (MoveStep step : STEPS) {
                    MoverKilledIntegrationTests.assertCompleted(attack, MoverKilledIntegrationTests.kill(attack, step));
                }
                MoverKilledIntegrationTests.assertCompleted(attack, killWhileItApplies(attack));
            }
            MoveOracle oracle = attack.judge(Set.of(MoverKilledIntegrationTests.SHARD));
            assertThat(oracle.faults()).isEmpty();
            assertThat(oracle.failures()).isEmpty();
            MoverKilledIntegrationTests.assertNothingIsLeft(attack);
            bank.databases().values().forEach(database -> assertThat(database.query(
                            "SELECT oid::regclass FROM pg_class WHERE relname = 'sharded_id_move_progress' AND relnamespace ="
                                    + " to_regnamespace('shard_0001')"))
                    .isEmpty());
        }
    }

    private static void assertTakenBack(MoveAttack attack) {
        String target = MoverKilledIntegrationTests.kill(attack, MoveStep.FENCE);
        assertThat(attack.cluster().database(target).query(APPLIED))
                .as("applies by itself")
                .hasSize(1);
        await().ignoreExceptions()
                .until(() -> MoverKilledIntegrationTests.mover(attack)
                                .abort(MoverKilledIntegrationTests.SHARD)
                                .step()
                        == MoveStep.ABORTED);
        assertThat(attack.cluster().map().databaseOf(MoverKilledIntegrationTests.SHARD))
                .isNotEqualTo(target);
    }

    /** At no step that was agreed upon: between the commits of the target and the slot of the source. */
    private static String killWhileItApplies(MoveAttack attack) {
        String target =
                MoverKilledIntegrationTests.other(attack.cluster().map().databaseOf(MoverKilledIntegrationTests.SHARD));
        MoveAttack.MoverRun run = attack.mover(List.of("move " + MoverKilledIntegrationTests.SHARD + " " + target));
        assertThat(run.awaitLine("at CATCH_UP"))
                .as("catches up: %s", run.told())
                .isTrue();
        await().pollInterval(Duration.ofMillis(5))
                .ignoreExceptions() // the table is gone when the move has ended
                .until(() -> run.told().contains("end")
                        || !attack.cluster().database(target).query(APPLIED).equals(List.of("0")));
        run.kill();
        return target;
    }
}
