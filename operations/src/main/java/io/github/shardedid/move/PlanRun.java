package io.github.shardedid.move;

import io.github.shardedid.move.MovePlan.PlannedMove;
import io.github.shardedid.move.MovePlan.State;
import io.github.shardedid.move.MovePlans.Situation;
import io.github.shardedid.move.MoveRefusedException.Reason;
import io.github.shardedid.move.internal.replication.MoveJournal.Unfinished;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Interruption;
import io.github.shardedid.operations.internal.LockedConnections;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Workers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Runs a plan, which is a standing order: the process that holds its lock makes the moves that are left, until none is.
 *
 * <ol>
 *   <li>Each worker plans the moves that reach the goal, from where the shards are now, and makes one that nobody makes yet, any of them.
 *       Moves that others make count as in progress.
 *   <li>When the move has ended, or after a moment if there is none to make, it plans again.
 *   <li>After a failure, or if the plan was stopped, no further move begins; those in progress end first.
 * </ol>
 */
final class PlanRun {
    private static final Logger LOG = LoggerFactory.getLogger(PlanRun.class);
    private static final long POLL_MILLIS = 500;

    private final MovePlan plan;
    private final MovePlans plans;
    private final Mover mover;
    private final Set<Integer> running = new HashSet<>();
    private final Set<String> waitsFor = new HashSet<>();
    private final Map<Integer, MoveRefusedException> refusals = new HashMap<>();
    private final Set<UUID> moves = new HashSet<>();
    private final List<Throwable> failures = new ArrayList<>();
    private volatile boolean over;
    private @Nullable Map<Integer, Long> sizes;
    private @Nullable MoveRefusedException unknownScripts;

    PlanRun(MovePlan plan, MovePlans plans, Mover mover) {
        this.plan = plan;
        this.plans = plans;
        this.mover = mover;
    }

    /** Moves one shard. */
    @FunctionalInterface
    interface Mover {
        Move move(int shard, String target, boolean offline);
    }

    /** Returns the moves that were made. */
    Set<UUID> run(int concurrent) {
        String database = MovePlans.databaseOf(plan.id());
        try (LockedConnections held = new LockedConnections()) {
            Connection journal = held.add(
                    database,
                    plans.data(database).getConnection(),
                    session -> SessionLock.tryTake(session, SessionLock.ofPlan(MovePlans.numberOf(plan.id()))),
                    () -> new MoveRefusedException("Another process runs plan " + plan.id() + "."));
            moveAll(journal, concurrent);
            try {
                Workers.throwFirst(failures);
            } catch (RuntimeException e) {
                if (!Interruption.is(e)) { // else another process continues it
                    LOG.warn("{} has failed: {}", plan, FailureReason.of(e));
                    MovePlans.end(journal, plan.id(), State.FAILED, FailureReason.of(e));
                }
                throw e;
            }
        } catch (SQLException e) {
            throw new MoveUnfinishedException(
                    plan + " has stopped: " + FailureReason.of(e)
                            + ". Another instance of the application continues it.",
                    e);
        }
        if (unknownScripts != null) {
            throw unknownScripts; // The plan goes on where the scripts are known.
        }
        return moves;
    }

    private void moveAll(Connection journal, int concurrent) {
        ExecutorService threads = Workers.start("sharded-id-move", concurrent);
        try {
            threads.invokeAll(Collections.nCopies(concurrent, () -> {
                work(journal);
                return plan;
            }));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MoveUnfinishedException(
                    plan + " was interrupted. Another instance of the application continues it.", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private void work(Connection journal) {
        try {
            while (true) {
                PlannedMove next = next(journal);
                if (next == null && over) {
                    return;
                }
                if (next == null || !make(next)) {
                    Thread.sleep(POLL_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException e) {
            fail(new MoveUnfinishedException(plan + " has stopped: " + FailureReason.of(e) + ".", e));
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private synchronized void fail(Throwable failure) {
        failures.add(failure);
        over = true;
    }

    /** Plans, and returns a move to make; null if there is none now, or the plan is over. */
    private synchronized @Nullable PlannedMove next(Connection journal) throws SQLException {
        if (over) {
            return null;
        }
        Situation now;
        try {
            now = situation();
        } catch (MoveRefusedException e) {
            if (!e.isDeferred()) {
                throw e;
            }
            waits(e);
            over = !MovePlans.isRunning(journal, plan.id(), plan.total());
            return null;
        }
        now.moves().forEach(move -> observe(now.underWay().get(move.shard())));
        over = !MovePlans.isRunning(journal, plan.id(), now.moves().size());
        if (!over && now.moves().isEmpty() && running.isEmpty()) {
            MovePlans.end(journal, plan.id(), State.DONE, null);
            LOG.info("{} is done", plan);
            over = true;
        }
        List<PlannedMove> left = new ArrayList<>(over ? List.of() : now.moves());
        left.removeIf(move -> running.contains(move.shard()) || now.underWay().containsKey(move.shard()));
        Collections.shuffle(left); // One that is deferred does not keep the others waiting.
        PlannedMove next = left.isEmpty() ? null : left.get(0);
        if (next != null && refusals.containsKey(next.shard())) {
            throw Objects.requireNonNull(refusals.get(next.shard()));
        }
        if (next != null) {
            running.add(next.shard());
        }
        return next;
    }

    /** Reads the sizes once, since that takes long for many shards. */
    private Situation situation() {
        Map<Integer, Long> known = sizes;
        if (known == null) {
            known = plans.sizes();
            sizes = known;
        }
        return plans.situation(plan.goal(), known);
    }

    /** A move that has stopped for a reason of its own is not recovered. */
    private void observe(@Nullable Unfinished underWay) {
        if (underWay == null) {
            return;
        }
        Move move = underWay.move();
        moves.add(move.id());
        if (underWay.stopped() && !running.contains(move.shard())) {
            throw new MoveUnfinishedException(
                    "The move of shard " + move.shard() + " from " + move.source() + " to " + move.target()
                            + " has stopped: " + move.failure() + " Resume or abort it, then plan again.",
                    null);
        }
    }

    /** Returns whether the move was made; else it is tried again if it is left. */
    private boolean make(PlannedMove planned) {
        try {
            Move made = mover.move(planned.shard(), planned.target(), plan.offline());
            return ended(planned, made, null);
        } catch (RuntimeException | Error e) {
            return ended(planned, null, e);
        }
    }

    private synchronized boolean ended(PlannedMove planned, @Nullable Move made, @Nullable Throwable failure) {
        running.remove(planned.shard());
        if (made != null) {
            moves.add(made.id());
        } else if (failure instanceof MoveRefusedException refused && refused.reason() == Reason.UNKNOWN_SCRIPTS) {
            unknownScripts = refused;
            over = true;
        } else if (failure instanceof MoveRefusedException refused && refused.isDeferred()) {
            waits(refused);
        } else if (failure instanceof MoveRefusedException refused) {
            refusals.put(planned.shard(), refused); // Another process may have begun or completed the same move.
        } else if (failure != null) {
            fail(failure);
        }
        return made != null;
    }

    private void waits(MoveRefusedException reason) {
        String why = String.valueOf(reason.getMessage());
        LOG.atLevel(waitsFor.add(why) ? Level.WARN : Level.DEBUG).log("{} waits: {}", plan, why);
    }
}
