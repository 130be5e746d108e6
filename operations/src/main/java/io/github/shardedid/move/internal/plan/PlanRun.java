package io.github.shardedid.move.internal.plan;

import io.github.shardedid.move.DeferredMoveException;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveUnfinishedException;
import io.github.shardedid.move.PlannedMove;
import io.github.shardedid.move.RecordedPlan;
import io.github.shardedid.move.RecordedPlan.State;
import io.github.shardedid.move.internal.journal.Journal;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Interruption;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.operations.internal.Workers;
import io.github.shardedid.operations.internal.schema.StoredShard;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Runs the moves of a plan that have not ended, some at once. An unfinished move of an earlier process is left to the recovery of moves. */
final class PlanRun {
    private static final Logger LOG = LoggerFactory.getLogger(PlanRun.class);
    private static final long POLL_MILLIS = 500;
    private static final long CLOSING_SECONDS = 10;

    private final RecordedPlan plan;
    private final PlanJournal journal;
    private final Map<String, DataSource> databases;
    private final MoveOptions options;
    private final Plans.Mover mover;
    private final AtomicBoolean failed = new AtomicBoolean();
    private final Set<Integer> deferred = ConcurrentHashMap.newKeySet();
    private int done;

    PlanRun(
            RecordedPlan plan,
            PlanJournal journal,
            Map<String, DataSource> databases,
            MoveOptions options,
            Plans.Mover mover) {
        this.plan = plan;
        this.journal = journal;
        this.databases = databases;
        this.options = options;
        this.mover = mover;
    }

    /** Returns the moves in the order of the plan. After a failure none is begun; those under way end first. */
    List<Move> run() throws SQLException {
        if (!journal.isRunning(plan.id())) {
            return List.of();
        }
        report(journal.done(plan.id(), 0));
        try {
            List<Move> moves = moves();
            report(journal.end(plan.id(), State.DONE, null));
            return moves;
        } catch (RuntimeException e) {
            if (!Interruption.is(e)) { // else another process continues it
                LOG.warn("Plan {} has failed: {}", plan.id(), FailureReason.of(e));
                report(journal.end(plan.id(), State.FAILED, FailureReason.of(e)));
            }
            throw e;
        }
    }

    private List<Move> moves() {
        ExecutorService threads = Workers.start("sharded-id-move", options.concurrentMoves());
        try {
            List<Future<Optional<Move>>> pending = new ArrayList<>();
            for (PlannedMove planned : plan.moves()) {
                pending.add(threads.submit(() -> one(planned)));
            }
            return Workers.results(pending).stream().flatMap(Optional::stream).toList();
        } catch (InterruptedException e) {
            awaitEnd(threads);
            Thread.currentThread().interrupt();
            throw new MoveUnfinishedException(
                    "Plan " + plan.id() + " was interrupted. Another instance of the application continues it.", e);
        } finally {
            threads.shutdownNow();
        }
    }

    /** The plan is locked until its moves have stopped. */
    private static void awaitEnd(ExecutorService threads) {
        threads.shutdownNow();
        try {
            if (!threads.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("Moves of a plan are still in progress");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Repeats a move that is refused for a reason that passes, until the plan is stopped: a rolling restart is such a reason. */
    private Optional<Move> one(PlannedMove planned) throws InterruptedException {
        try {
            while (!failed.get() && journal.isRunning(plan.id())) {
                Standing standing = standing(planned);
                if (standing == Standing.ENDED) {
                    return ended(planned);
                }
                if (standing == Standing.UNDER_WAY || !move(planned)) {
                    Thread.sleep(POLL_MILLIS);
                }
            }
            return Optional.empty();
        } catch (SQLException e) {
            failed.set(true);
            throw new MoveUnfinishedException(
                    "Shard " + planned.shard() + " of plan " + plan.id() + " was not moved to " + planned.target()
                            + ": " + FailureReason.of(e) + ".",
                    e);
        } catch (RuntimeException | Error e) {
            failed.set(true);
            throw e;
        }
    }

    /** Returns false if the move was not begun now. */
    private boolean move(PlannedMove planned) throws SQLException {
        try {
            mover.move(planned.shard(), planned.target(), plan.offline());
            return true;
        } catch (DeferredMoveException e) {
            LOG.atLevel(deferred.add(planned.shard()) ? Level.WARN : Level.DEBUG)
                    .log("Plan {} waits: {}", plan.id(), e.getMessage());
            return false;
        } catch (MoveRefusedException e) {
            // Another process may have begun or completed the same move meanwhile.
            if (standing(planned) == Standing.AT_SOURCE) {
                throw e;
            }
            return false;
        }
    }

    private Optional<Move> ended(PlannedMove planned) throws SQLException {
        synchronized (this) {
            done++;
            report(journal.done(plan.id(), done));
        }
        return ask(planned.source(), source -> Journal.all(source).stream()
                .filter(move -> move.shard() == planned.shard() && move.target().equals(planned.target()))
                .findFirst());
    }

    /** Where the shard of a planned move is. */
    private enum Standing {
        AT_SOURCE,
        UNDER_WAY,
        ENDED
    }

    private Standing standing(PlannedMove planned) throws SQLException {
        Standing atSource = ask(planned.source(), source -> {
            Move open = Journal.open(source, planned.shard());
            if (open != null) {
                requireGoingOn(source, open);
                return Standing.UNDER_WAY;
            }
            return isServed(source, planned) ? Standing.AT_SOURCE : Standing.ENDED;
        });
        if (atSource != Standing.ENDED || ask(planned.target(), target -> isServed(target, planned))) {
            return atSource;
        }
        throw new MoveRefusedException("Shard " + planned.shard() + " of plan " + plan.id() + " is neither in database "
                + planned.source() + " nor in " + planned.target() + ". Plan again.");
    }

    private static boolean isServed(Connection connection, PlannedMove planned) throws SQLException {
        StoredShard row = StoredShard.read(connection, planned.shard());
        return row != null && row.served();
    }

    private interface Question<T> {
        T ask(Connection connection) throws SQLException;
    }

    /** Asks a database over a connection of its own, under the path of {@link Transaction}. */
    private <T> T ask(String database, Question<T> question) throws SQLException {
        try (Connection connection = data(database).getConnection()) {
            return Transaction.read(connection, () -> question.ask(connection));
        }
    }

    /** A move that has stopped for a reason of its own is not recovered; see the journal's rule. */
    private static void requireGoingOn(Connection source, Move open) throws SQLException {
        if (open.failure() != null && !Journal.isRecovered(source, open)) {
            throw new MoveUnfinishedException(
                    "The move of shard " + open.shard() + " from " + open.source() + " to " + open.target()
                            + " has stopped: " + open.failure()
                            + " Resume or abort it, then plan again.",
                    null);
        }
    }

    private void report(RecordedPlan now) {
        try {
            options.listener().plan(now);
        } catch (RuntimeException e) {
            LOG.warn("Plan {}: the listener failed", plan.id(), e);
        }
    }

    private DataSource data(String database) {
        return Objects.requireNonNull(databases.get(database));
    }
}
