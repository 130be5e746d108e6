package io.github.shardedid.move.internal.plan;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MovePlan;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveUnfinishedException;
import io.github.shardedid.move.PlannedMove;
import io.github.shardedid.move.RecordedPlan;
import io.github.shardedid.move.RecordedPlan.State;
import io.github.shardedid.move.internal.journal.Journal;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Inquiry;
import io.github.shardedid.operations.internal.LockedConnections;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Begins, runs and stops plans. A plan belongs to the process that holds its lock. */
public final class Plans {
    private static final Logger LOG = LoggerFactory.getLogger(Plans.class);
    private static final Duration WAIT = Duration.ofSeconds(10);

    private final Map<String, DataSource> databases;
    private final MoveOptions options;
    private final Mover mover;

    /** Asks no database yet. */
    public Plans(Map<String, DataSource> databases, MoveOptions options, Mover mover) {
        this.databases = databases;
        this.options = options;
        this.mover = mover;
    }

    /** Moves one shard. */
    @FunctionalInterface
    public interface Mover {
        Move move(int shard, String target, boolean offline);
    }

    /** Records a plan of one move or more, so that a process runs it. */
    public RecordedPlan begin(MovePlan plan, boolean offline) {
        String database = plan.moves().get(0).source();
        requireFree(plan);
        try (Connection connection = data(database).getConnection()) {
            RecordedPlan begun =
                    Transaction.read(connection, () -> new PlanJournal(database, connection).begin(plan, offline));
            LOG.info("Plan {} of {} moves has begun", begun.id(), begun.moves().size());
            return begun;
        } catch (SQLException e) {
            throw new MoveRefusedException(
                    "The plan cannot be recorded in database " + database + ": " + FailureReason.of(e) + ".");
        }
    }

    /** A shard has one plan at a time, and a plan begins with none of its moves under way. */
    private void requireFree(MovePlan plan) {
        Set<Integer> shards = plan.moves().stream().map(PlannedMove::shard).collect(Collectors.toSet());
        for (RecordedPlan other : all()) {
            if (other.state() == State.RUNNING) {
                other.moves().stream()
                        .filter(move -> shards.contains(move.shard()))
                        .findFirst()
                        .ifPresent(move -> {
                            throw new MoveRefusedException("Shard " + move.shard() + " is part of plan " + other.id()
                                    + ", which is running. Wait for its end, or stop it with --sharded-id.stop-plan="
                                    + other.id() + "; nothing was changed.");
                        });
            }
        }
        Inquiry<List<Move>> journals = Inquiry.pinned(WAIT, (name, connection) -> Journal.all(connection));
        journals.ask(databases).results().values().stream()
                .flatMap(List::stream)
                .filter(move -> !move.step().ended() && shards.contains(move.shard()))
                .findFirst()
                .ifPresent(move -> {
                    throw new MoveRefusedException("The move of shard " + move.shard() + " from " + move.source()
                            + " to " + move.target()
                            + " is unfinished. Resume or abort it first; nothing was changed.");
                });
    }

    /** Runs a plan to its end. */
    public List<Move> run(RecordedPlan plan) {
        String database = PlanJournal.databaseOf(plan.id());
        try (LockedConnections held = new LockedConnections()) {
            Connection connection = held.add(
                    database,
                    data(database).getConnection(),
                    session -> SessionLock.tryOnPlan(session, PlanJournal.numberOf(plan.id())),
                    () -> new MoveRefusedException("Another process runs plan " + plan.id() + "."));
            PlanJournal journal = new PlanJournal(database, connection);
            return new PlanRun(plan, journal, databases, options, mover).run();
        } catch (SQLException e) {
            throw new MoveUnfinishedException(
                    "Plan " + plan.id() + " was not continued: " + FailureReason.of(e)
                            + ". Another instance of the application continues it.",
                    e);
        }
    }

    /** The plans of the databases that can be asked, newest first. */
    public List<RecordedPlan> all() {
        List<RecordedPlan> plans = new ArrayList<>();
        Inquiry<List<RecordedPlan>> inquiry =
                Inquiry.pinned(WAIT, (name, connection) -> new PlanJournal(name, connection).all());
        inquiry.ask(databases).results().values().forEach(plans::addAll);
        plans.sort(Comparator.comparing(RecordedPlan::started).reversed());
        return plans;
    }

    /** No further move of the plan begins, in any process. */
    public RecordedPlan stop(String id) {
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
