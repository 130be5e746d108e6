package io.github.shardedid.move;

import io.github.shardedid.move.MoveGoal.Kind;
import io.github.shardedid.move.RecordedPlan.State;
import io.github.shardedid.move.internal.replication.MoveJournals;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Inquiry;
import io.github.shardedid.operations.internal.LockedConnections;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.topology.ShardRanges;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Begins, runs and stops plans. A plan belongs to the process that holds its lock. */
final class Plans {
    private static final Logger LOG = LoggerFactory.getLogger(Plans.class);
    private static final Duration WAIT = Duration.ofSeconds(10);

    private final Map<String, DataSource> databases;
    private final Planning planning;
    private final MoveOptions options;
    private final Mover mover;

    /** Asks no database yet. */
    Plans(Map<String, DataSource> databases, Planning planning, MoveOptions options, Mover mover) {
        this.databases = databases;
        this.planning = planning;
        this.options = options;
        this.mover = mover;
    }

    /** Moves one shard. */
    @FunctionalInterface
    public interface Mover {
        Move move(int shard, String target, boolean offline);
    }

    /** The moves that reach a goal, as the shards are now. */
    MovePlan plan(MoveGoal goal) {
        return new MovePlan(goal, planning.moves(goal));
    }

    /** Records a plan, so that a process runs it. */
    RecordedPlan begin(MovePlan plan, boolean offline) {
        String database = new TreeSet<>(databases.keySet()).first();
        requireFree(plan.goal());
        try (Connection connection = data(database).getConnection()) {
            RecordedPlan begun =
                    Transaction.read(connection, () -> new PlanJournal(database, connection).begin(plan, offline));
            LOG.info("{} has begun, with {} moves to make", PlanJournal.title(begun), begun.total());
            return begun;
        } catch (SQLException e) {
            throw new MoveRefusedException(
                    "The plan cannot be recorded in database " + database + ": " + FailureReason.of(e) + ".");
        }
    }

    /** Two plans that balance databases would undo each other's moves, and so would two for the same shard. */
    private void requireFree(MoveGoal goal) {
        for (RecordedPlan other : all()) {
            if (other.state() == State.RUNNING && contradict(goal, other.goal())) {
                throw new MoveRefusedException(PlanJournal.title(other)
                        + " is running. Wait for its end, or stop it with --sharded-id.stop-plan=" + other.id()
                        + "; nothing was changed.");
            }
        }
    }

    private static boolean contradict(MoveGoal one, MoveGoal other) {
        boolean moves = one.kind() == Kind.MOVE;
        return moves == (other.kind() == Kind.MOVE)
                && (!moves || shards(one).anyMatch(shard -> shards(other).anyMatch(same -> same == shard)));
    }

    private static IntStream shards(MoveGoal goal) {
        return ShardRanges.parse(goal.subject()).shards();
    }

    /** Runs a plan until its goal is reached; returns the moves that were made for it, in the order in which they began. */
    List<Move> run(RecordedPlan plan) {
        String database = PlanJournal.databaseOf(plan.id());
        try (LockedConnections held = new LockedConnections()) {
            Connection connection = held.add(
                    database,
                    data(database).getConnection(),
                    session -> SessionLock.tryOnPlan(session, PlanJournal.numberOf(plan.id())),
                    () -> new MoveRefusedException("Another process runs plan " + plan.id() + "."));
            PlanJournal journal = new PlanJournal(database, connection);
            Set<UUID> made = new PlanRun(plan, journal, planning, options, mover).run();
            return new MoveJournals(databases)
                    .all().stream()
                            .filter(move -> made.contains(move.id()))
                            .sorted(Comparator.comparing(Move::started))
                            .toList();
        } catch (SQLException e) {
            throw new MoveUnfinishedException(
                    PlanJournal.title(plan) + " was not continued: " + FailureReason.of(e)
                            + ". Another instance of the application continues it.",
                    e);
        }
    }

    /** The plans of the databases that can be asked, newest first. */
    List<RecordedPlan> all() {
        List<RecordedPlan> plans = new ArrayList<>();
        Inquiry<List<RecordedPlan>> inquiry =
                Inquiry.pinned(WAIT, (name, connection) -> new PlanJournal(name, connection).all());
        inquiry.ask(databases).results().values().forEach(plans::addAll);
        plans.sort(Comparator.comparing(RecordedPlan::started).reversed());
        return plans;
    }

    /** No further move of the plan begins, in any process. */
    RecordedPlan stop(String id) {
        String database = PlanJournal.databaseOf(id);
        try (Connection connection = data(database).getConnection()) {
            RecordedPlan stopped = Transaction.read(
                    connection, () -> new PlanJournal(database, connection).end(id, State.STOPPED, null));
            if (stopped.state() != State.STOPPED) {
                throw new MoveRefusedException(
                        "Plan " + id + " cannot be stopped: it is " + stopped.state() + ". Nothing was changed.");
            }
            return stopped;
        } catch (SQLException e) {
            throw new MoveRefusedException(
                    "Plan " + id + " was not stopped: " + FailureReason.of(e) + ". Nothing was changed.");
        }
    }

    private DataSource data(String database) {
        DataSource data = databases.get(database);
        if (data == null) {
            throw new MoveRefusedException("There is no database " + database + ": configured are " + databases.keySet()
                    + ". Nothing was changed.");
        }
        return data;
    }
}
