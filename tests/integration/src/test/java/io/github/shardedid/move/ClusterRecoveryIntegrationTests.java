package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.shardedid.move.internal.replication.HeldConnections;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.Workers;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.provisioning.ShardMapKeeper;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.topology.CurrentShardMap;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A process dies that provisions, changes jvm-nodes or runs a plan, and another instance completes the work. */
class ClusterRecoveryIntegrationTests {
    private static final Executor THREADS = task -> Workers.thread("test", task).start();
    private static final Duration DONE = Duration.ofMinutes(2);
    private static final String LATER = "classpath:db/move_later";
    private static final String FAILING = "classpath:db/move_failing";
    private static final String TITLES =
            "SELECT count(*) FROM information_schema.columns WHERE table_name = 'note' AND column_name = 'title'";
    private static final String STORED = "SELECT shard || coalesce(migrations, '') FROM sharded_id.shard";
    private static final String WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            + " AND datname = current_database() AND query LIKE '%(''waits'', %' AND pid <> pg_backend_pid()";
    private static final String RUNS = "SELECT kind FROM sharded_id.run";

    private final MovingCluster cluster = new MovingCluster();

    @AfterEach
    void drop() {
        cluster.close();
    }

    /** An instance of the application, with scripts. */
    private final class Instance implements AutoCloseable {
        private final CurrentShardMap map =
                new CurrentShardMap(new DatabaseShardMapSource(cluster.definition(), cluster.sources()));
        private final ShardMapKeeper keeper = new ShardMapKeeper(map, cluster.sources());
        private final ClusterRecovery recovery;

        Instance(String... scripts) {
            recovery = new ClusterRecovery(
                    map, cluster.sources(), cluster::mover, provisioner(cluster.sources(), scripts));
        }

        @Override
        public void close() {
            recovery.close();
            keeper.close();
        }
    }

    private Provisioner provisioner(Map<String, DataSource> sources, String... scripts) {
        return new Provisioner(cluster.definition(), sources, ShardMigrations.at(scripts));
    }

    private List<String> everywhere(String query) {
        List<String> all = new ArrayList<>();
        List.of("pg1", "pg2").forEach(name -> all.addAll(cluster.database(name).query(query)));
        return all;
    }

    @Test
    @Tag("quick")
    void aProvisioningWhoseProcessDiesIsCompletedByAnInstanceWithTheSameScriptsOnly() {
        SourcesDyingAt dying = new SourcesDyingAt(cluster.sources(), "'unfinished in shard", true);
        provisioner(dying.sources(), MovingCluster.SCRIPTS, LATER)
                .provision(); // skips databases that it does not reach
        assertThat(dying.dead()).isTrue();
        assertThat(everywhere(RUNS)).contains("SHARDS").containsOnly("SHARDS");
        List<String> before = everywhere(STORED);

        Provisioner older = provisioner(cluster.sources(), MovingCluster.SCRIPTS);
        assertThat(older.completeAbandoned()).isEmpty();
        assertThat(everywhere(STORED)).isEqualTo(before);
        older.provision();
        assertThat(everywhere(RUNS))
                .as("the older scripts end no run of newer ones")
                .isNotEmpty();

        try (Instance same = new Instance(MovingCluster.SCRIPTS, LATER)) {
            await().until(() -> everywhere(RUNS).isEmpty());
            assertThat(everywhere(TITLES)).containsExactly("2", "2");
            await().until(() -> same.recovery.problems().isEmpty());
        }
        assertThat(older.completeAbandoned()).isEmpty();
    }

    @Test
    void aProvisioningThatHasFailedIsNotRepeated() {
        Provisioner failing = provisioner(cluster.sources(), MovingCluster.SCRIPTS, FAILING);
        assertThatThrownBy(failing::provision)
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.FAILED_MIGRATION);

        assertThat(failing.completeAbandoned()).isEmpty();
    }

    @Test
    void aPublicationOfACheckWhoseProcessDiesIsRemoved() throws SQLException {
        SourcesDyingAt dying = new SourcesDyingAt(cluster.sources(), "CREATE PUBLICATION sharded_id_probe_", true);
        assertThat(cluster.mover(dying.sources()).check(MovingCluster.SHARD, "pg2"))
                .isNotEmpty();
        assertThat(cluster.leftovers()).singleElement().asString().startsWith("pg1 publication sharded_id_probe_");
        try (Connection alive = cluster.database("pg1").connect();
                Instance instance = new Instance(MovingCluster.SCRIPTS)) {
            String ofAnother = "sharded_id_probe_" + Sql.text(alive, "SELECT pg_backend_pid()");
            Sql.execute(alive, "CREATE PUBLICATION " + ofAnother);
            await().until(() -> cluster.leftovers().equals(List.of("pg1 publication " + ofAnother)));
        }
        try (Instance instance = new Instance(MovingCluster.SCRIPTS)) {
            await().until(() -> cluster.leftovers().isEmpty());
        }
    }

    @Test
    @Tag("quick")
    void aPlanWhoseProcessDiesIsContinuedAndEndsOnce() {
        MovePlan plan = cluster.mover().begin(MoveGoal.drain("pg1"), false);
        SourcesDyingAt dying = new SourcesDyingAt(cluster.sources(), "SET step = ", true);
        ShardMover killed = new ShardMover(
                cluster.definition(),
                dying.sources(),
                ShardMigrations.at(MovingCluster.SCRIPTS),
                TestMoveOptions.oneAtATime(cluster.options()));
        assertThatThrownBy(() -> killed.run(plan)).isInstanceOf(RuntimeException.class);
        assertThat(cluster.mover().plans()).singleElement().satisfies(left -> {
            assertThat(left.state()).isEqualTo(MovePlan.State.RUNNING);
            assertThat(left.goal()).isEqualTo(MoveGoal.drain("pg1"));
            assertThat(left.total()).isEqualTo(2);
        });
        assertThatThrownBy(() -> cluster.mover().begin(MoveGoal.BALANCE, false))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContaining("pg1-1");
        cluster.database("pg1") // as if it had died a while ago
                .execute("UPDATE sharded_id.standing_order SET changed = changed - interval '1 minute';"
                        + " UPDATE sharded_id.move SET changed = changed - interval '1 minute'");

        try (Instance first = new Instance(MovingCluster.SCRIPTS);
                Instance second = new Instance(MovingCluster.SCRIPTS)) {
            await().until(() -> cluster.mover().plans().get(0).state() == MovePlan.State.DONE);
        }

        assertThat(cluster.mover().plans().get(0).done()).isEqualTo(2);
        assertThat(cluster.mover().moves())
                .hasSize(2)
                .allMatch(move -> move.step() == MoveStep.DONE && move.target().equals("pg2"));
        cluster.mover().dropOldCopy(MovingCluster.SHARD, "pg1");
        assertThat(cluster.mover().moves())
                .as("forgets what was removed")
                .singleElement()
                .matches(move -> move.shard() == 0);
        assertThat(cluster.leftovers()).isEmpty();
    }

    @Test
    void aPlanThatIsStoppedIsNotContinued() {
        ShardMover mover = cluster.mover();
        MovePlan begun = mover.begin(MoveGoal.drain("pg1"), false);

        assertThat(mover.stopPlan(begun.id()).state()).isEqualTo(MovePlan.State.STOPPED);

        assertThat(mover.run(begun)).isEmpty();
        assertThat(mover.moves()).isEmpty();
        assertThatThrownBy(() -> mover.stopPlan("pg1-77"))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContaining("no such plan as pg1-77");
    }

    @Test
    void aPlanIsForgottenIfNoProcessHoldsItsLock() throws Exception {
        cluster.mover().begin(MoveGoal.drain("pg1"), false);
        cluster.database("pg1")
                .execute("UPDATE sharded_id.standing_order SET changed = clock_timestamp() - interval '2 days'");

        try (Connection asking = connect()) {
            try (Connection working = connect();
                    SessionLock held = SessionLock.tryTake(working, SessionLock.ofPlan(1))) {
                assertThat(held).isNotNull();
                assertThat(MovePlans.problems("pg1", asking))
                        .as("one move may take days")
                        .isEmpty();
            }
            assertThat(MovePlans.problems("pg1", asking))
                    .singleElement()
                    .asString()
                    .contains("Plan pg1-1 (drain pg1) has not changed since", "stop this one");
        }
    }

    @Test
    void aPlanWhoseMoveIsRefusedFailsAndSaysWhy() {
        Map<String, DataSource> sources = new TreeMap<>(cluster.sources());
        cluster.database("pg1").execute("CREATE UNLOGGED TABLE shard_0000.scratch (id int)");
        ShardMover mover = cluster.mover(sources);

        assertThatThrownBy(() -> mover.run(mover.begin(MoveGoal.drain("pg1"), false)))
                .isInstanceOf(MoveRefusedException.class);

        assertThat(mover.plans()).singleElement().satisfies(failed -> {
            assertThat(failed.state()).isEqualTo(MovePlan.State.FAILED);
            assertThat(failed.failure()).contains("scratch");
        });
        try (Instance instance = new Instance(MovingCluster.SCRIPTS)) {
            await().until(() -> !instance.recovery.problems().isEmpty());
            assertThat(instance.recovery.problems())
                    .singleElement()
                    .asString()
                    .contains("Plan pg1-1 (drain pg1) has failed", "scratch", "stop this one");
            assertThat(mover.stopPlan("pg1-1").state()).isEqualTo(MovePlan.State.STOPPED);
            await().until(() -> instance.recovery.problems().isEmpty());
        }
    }

    @Test
    void aPlanWaitsForAnotherSessionThatWorksOnAShard() throws Exception {
        ShardMover mover = cluster.mover();
        MovePlan plan = mover.begin(MoveGoal.drain("pg1"), false);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("io.github.shardedid.move.PlanRun");
        logged.start();
        logger.addAppender(logged);
        CompletableFuture<List<Move>> moves;
        try (Connection other = connect();
                SessionLock shard = SessionLock.tryTake(other, SessionLock.ofShard(0))) {
            assertThat(shard).isNotNull();
            moves = CompletableFuture.supplyAsync(() -> mover.run(plan), THREADS);
            await().until(() -> moves.isDone() || !logged.list.isEmpty());

            assertThat(moves).isNotDone();
            assertThat(mover.plans()).singleElement().matches(each -> each.state() == MovePlan.State.RUNNING);
        } finally {
            logger.detachAppender(logged);
        }

        assertThat(moves.get(DONE.toSeconds(), TimeUnit.SECONDS)).hasSize(2);
        assertThat(logged.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .startsWith(
                        "Plan pg1-1 (drain pg1) waits: Shard 0 is not moved to pg2 yet: Another process is at work on a move of shard 0, or its session in"
                                + " database pg1 has not ended yet: process ")
                .endsWith(" Nothing was changed.");
        assertThat(mover.plans()).singleElement().matches(each -> each.state() == MovePlan.State.DONE);
    }

    @Test
    void aPlanThatWaitsCanBeStopped() throws Exception {
        ShardMover mover = cluster.mover();
        MovePlan begun = mover.begin(MoveGoal.drain("pg1"), false);
        try (Connection other = connect();
                SessionLock first = SessionLock.tryTake(other, SessionLock.ofShard(0));
                SessionLock second = SessionLock.tryTake(other, SessionLock.ofShard(MovingCluster.SHARD))) {
            assertThat(first).isNotNull();
            assertThat(second).isNotNull();
            CompletableFuture<List<Move>> moves = CompletableFuture.supplyAsync(() -> mover.run(begun), THREADS);

            mover.stopPlan(begun.id());

            assertThat(moves.get(DONE.toSeconds(), TimeUnit.SECONDS)).isEmpty();
        }
        assertThat(mover.moves()).isEmpty();
    }

    /** A slot is created when all transactions that run have ended. */
    @Test
    void theLockOfAProcessThatDiesWhileItWaitsForATransactionIsReleased() throws Exception {
        try (Connection open = connect();
                Connection other = connect();
                Connection waiting = HeldConnections.ofShard(cluster.sources(), 1)
                        .lock("pg1")) { // whose process does not live to close it
            open.setAutoCommit(false);
            Sql.rows(open, "SELECT pg_current_xact_id()");
            CompletableFuture<Void> slot = CompletableFuture.runAsync(
                    () -> {
                        try {
                            Sql.rows(waiting, "SELECT pg_create_logical_replication_slot('waits', 'pgoutput')");
                        } catch (SQLException e) {
                            throw new CompletionException(e);
                        }
                    },
                    THREADS);
            await().until(() -> "1".equals(Sql.text(other, WAITING)));
            assertThat(SessionLock.tryTake(other, SessionLock.ofShard(1))).isNull();

            waiting.abort(Runnable::run); // closes the socket, as the end of a process does

            await().until(() -> SessionLock.tryTake(other, SessionLock.ofShard(1)) != null);
            await().until(slot::isCompletedExceptionally);
            await().until(() -> "0"
                    .equals(Sql.text(
                            other, "SELECT count(*) FROM pg_replication_slots WHERE database = current_database()")));
        }
    }

    private Connection connect() throws SQLException {
        return Objects.requireNonNull(cluster.sources().get("pg1")).getConnection();
    }
}
