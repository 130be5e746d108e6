package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMapKeeper;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.topology.CurrentShardMap;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Instances of two versions of an application, as during each deployment, and a move or a plan that one of them has begun. */
class TwoVersionsIntegrationTests {
    private static final String[] OLD = {MovingCluster.SCRIPTS};
    private static final String[] NEW = {MovingCluster.SCRIPTS, "classpath:db/move_later"};

    private final MovingCluster cluster = new MovingCluster();

    @AfterEach
    void drop() {
        cluster.close();
    }

    /** Not an error that was foreseen. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    /** An instance that completes what others have left. */
    private final class Instance implements AutoCloseable {
        private final CurrentShardMap map =
                new CurrentShardMap(new DatabaseShardMapSource(cluster.definition(), cluster.sources()));
        private final ShardMapKeeper keeper = new ShardMapKeeper(map, cluster.sources());
        private final ClusterRecovery recovery;

        Instance(String... scripts) {
            recovery = new ClusterRecovery(
                    map, cluster.sources(), () -> cluster.mover(cluster.options(), scripts), provisioner(scripts));
        }

        @Override
        public void close() {
            recovery.close();
            keeper.close();
        }
    }

    private Provisioner provisioner(String... scripts) {
        return new Provisioner(cluster.definition(), cluster.sources(), ShardMigrations.at(scripts));
    }

    private void killedAt(MoveStep step, String... scripts) {
        MoveOptions dying = cluster.options().withListener(progress -> {
            if (progress.step() == step) {
                throw new Killed();
            }
        });
        assertThatThrownBy(() -> cluster.mover(dying, scripts).move(MovingCluster.SHARD, "pg2"))
                .isInstanceOf(Killed.class);
    }

    private Move move() {
        return cluster.mover().moves().get(0);
    }

    @Test
    void anOlderInstanceLeavesAMoveToANewerOne() {
        provisioner(NEW).provision();
        cluster.fill(3);
        List<String> rows = cluster.rows("pg1");
        killedAt(MoveStep.PREPARE, NEW);

        try (Instance older = new Instance(OLD)) {
            await().until(() -> older.recovery.problems().stream()
                    .anyMatch(problem -> problem.contains("move of shard 1 from pg1 to pg2")
                            && problem.contains("V8__note_title.sql")));
            assertThat(move().step()).isEqualTo(MoveStep.PREPARE);
            assertThat(cluster.mover(cluster.options(), OLD).check(2, "pg1"))
                    .singleElement()
                    .asString()
                    .contains("V8__note_title.sql", "left to an instance that knows them")
                    .doesNotContain("Put these differences into a migration");

            try (Instance newer = new Instance(NEW)) {
                await().until(() -> move().step() == MoveStep.DONE);
                assertThat(newer.recovery.problems()).isEmpty();
            }
            await().until(() -> older.recovery.problems().isEmpty());
        }
        assertThat(cluster.rows("pg2")).isEqualTo(rows);
        assertThat(cluster.states()).containsExactly("pg1 1 MOVED", "pg2 2 ACTIVE");
    }

    @Test
    void anOlderInstanceLeavesAPlanToANewerOne() {
        provisioner(NEW).provision();
        ShardMover mover = cluster.mover(cluster.options(), NEW);
        MovePlan begun = mover.begin(MoveGoal.drain("pg1"), false);
        assertThat(begun.total()).isEqualTo(2);

        try (Instance older = new Instance(OLD)) {
            await().until(() -> older.recovery.problems().stream()
                    .anyMatch(problem ->
                            problem.contains("Plan pg1-1 (drain pg1)") && problem.contains("V8__note_title.sql")));
            assertThat(mover.plans()).singleElement().matches(plan -> plan.state() == MovePlan.State.RUNNING);

            try (Instance newer = new Instance(NEW)) {
                await().until(() -> mover.plans().get(0).state() == MovePlan.State.DONE);
                assertThat(newer.recovery.problems()).isEmpty();
            }
            assertThat(mover.plans().get(0).done()).isEqualTo(2);
            await().until(() -> older.recovery.problems().isEmpty());
        }
        assertThat(mover.plan(MoveGoal.drain("pg1"))).isEmpty();
    }

    /** What the newer one would make at the target has not run at the source: neither its tables nor its rows would be alike. */
    @Test
    void aNewerInstanceAbortsWhatIsToBeMigratedFirstAndTheJournalSaysWhy() {
        killedAt(MoveStep.PREPARE, OLD);

        try (Instance newer = new Instance(NEW)) {
            await().until(() -> move().step() == MoveStep.ABORTED);
        }
        assertThat(move().failure())
                .contains("Shard 1 in database pg1 lacks scripts that are known here: V8__note_title.sql");
        assertThatThrownBy(() -> cluster.mover(cluster.options(), NEW).move(MovingCluster.SHARD, "pg2"))
                .isInstanceOfSatisfying(MoveRefusedException.class, e -> assertThat(e.reason())
                        .isEqualTo(MoveRefusedException.Reason.DEFERRED))
                .hasMessageContaining("Provision");
        provisioner(NEW).provision();
        cluster.mover(cluster.options(), NEW).move(MovingCluster.SHARD, "pg2");
        assertThat(cluster.leftovers()).isEmpty();
    }

    @Test
    void aMoveThatIsRefusedOnceItHasBegunSaysWhyInItsJournal() {
        cluster.database("pg1").execute("ALTER TABLE shard_0001.note ADD by_hand int");

        assertThatThrownBy(() -> cluster.mover().move(MovingCluster.SHARD, "pg2"))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContainingAll("by_hand", "Put these differences into a migration");

        assertThat(move().step()).isEqualTo(MoveStep.ABORTED);
        assertThat(move().failure()).contains("by_hand");
        cluster.database("pg1").execute("ALTER TABLE shard_0001.note DROP by_hand");
        killedAt(MoveStep.COPY, OLD);
        await().ignoreExceptionsMatching(MovingCluster::busy)
                .until(() -> cluster.mover().abort(MovingCluster.SHARD).failure() == null);
    }
}
