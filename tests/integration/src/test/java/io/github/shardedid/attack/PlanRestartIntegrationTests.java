package io.github.shardedid.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveGoal;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MovePlan;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.test.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The instances of an application are restarted one by one while a plan runs, which ends all the same, and no call fails. */
@Tag("attack")
@Tag("embedded-only")
class PlanRestartIntegrationTests {
    private static final Duration TAKEN_OVER = Duration.ofMinutes(1);

    /** The instances that hold the lock of a plan. */
    private static final String RUNNERS = "SELECT a.application_name FROM sharded_id.session_lock l"
            + " JOIN pg_stat_activity a ON a.pid = l.holder JOIN pg_locks p ON p.pid = l.holder AND p.locktype = 'advisory'"
            + " AND p.classid = l.class::oid AND p.objid = l.number::oid WHERE l.class = 1768842086";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path evidence;

    @Test
    void aPlanSurvivesARollingRestart() throws SQLException {
        try (MoveAttack attack = new MoveAttack(evidence)) {
            int first = attack.startGrown(InstanceWorker.class);
            int second = attack.startGrown(InstanceWorker.class);
            ShardMover mover = attack.cluster().mover(MoveOptions.DEFAULT);
            Set<String> runners = new LinkedHashSet<>();
            try (Connection reader = attack.cluster().database("pg1").connect()) {
                read(reader);
                MovePlan plan = mover.begin(MoveGoal.drain("pg1"), false);
                runners.add(awaitRunner(attack));
                await().until(() -> mover.moves().stream().anyMatch(PlanRestartIntegrationTests::isAtTheFence));
                boolean firstRuns = runners.contains(BankCluster.applicationName(first));

                attack.restart(firstRuns ? first : second, true);
                runners.add(awaitRunner(attack));
                attack.restart(firstRuns ? second : first, false);
                runners.add(awaitRunner(attack));

                assertThat(mover.plans()).singleElement().satisfies(left -> {
                    assertThat(left.id()).isEqualTo(plan.id());
                    assertThat(left.state()).isEqualTo(MovePlan.State.RUNNING);
                    assertThat(left.done()).isZero();
                });
                reader.rollback();
            }
            await().until(() -> mover.plans().get(0).state() == MovePlan.State.DONE);

            assertThat(runners).as("processes that have run the plan").hasSizeGreaterThan(1);
            assertThat(mover.plans().get(0).done()).isEqualTo(2);
            assertThat(mover.moves())
                    .extracting(Move::shard, Move::target, Move::step)
                    .containsExactlyInAnyOrder(tuple(0, "pg2", MoveStep.DONE), tuple(1, "pg2", MoveStep.DONE));
            MoveOracle oracle = attack.judge(Set.of(0, 1));
            assertThat(oracle.faults()).isEmpty();
            assertThat(oracle.failures()).isEmpty();
            MoverKilledIntegrationTests.assertNothingIsLeft(attack);
        }
    }

    /** A transaction that reads both shards: until its end, none of them is fenced for good. */
    private static void read(Connection reader) throws SQLException {
        reader.setAutoCommit(false);
        try (Statement statement = reader.createStatement()) {
            for (int shard : List.of(0, 1)) {
                statement.execute("SELECT FROM shard_000" + shard + ".receipt LIMIT 1");
            }
        }
    }

    private static boolean isAtTheFence(Move move) {
        return move.step() == MoveStep.FENCE;
    }

    private static String awaitRunner(MoveAttack attack) {
        TestDatabase journal = attack.cluster().database("pg1");
        return await().timeout(TAKEN_OVER)
                .until(() -> journal.query(RUNNERS), names -> names.size() == 1)
                .get(0);
    }
}
