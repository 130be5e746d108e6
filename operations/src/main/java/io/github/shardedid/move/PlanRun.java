package io.github.shardedid.move;

import io.github.shardedid.move.MovePlan.PlannedMove;
import io.github.shardedid.move.MovePlan.State;
import io.github.shardedid.move.MovePlans.Situation;
import io.github.shardedid.move.MoveRefusedException.Reason;
import io.github.shardedid.move.internal.replication.HeldConnections;
import io.github.shardedid.move.internal.replication.MoveJournal.Unfinished;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Workers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Runs a plan, which is a standing order: the process that holds its lock makes the moves that are left, until none is.
 *
 * <ol>
 *   <li>While fewer moves run than may run at once, the moves that reach the goal are planned, from where the shards are now, and one that
 *       nobody makes yet begins, any of them. Moves that others make count as in progress.
 *   <li>When a move has ended, or after a moment if there is none to make, it plans again.
 *   <li>After a failure, or if the plan was stopped, no further move begins; those in progress end first.
 * </ol>
 */
final class PlanRun {
    private static final Logger LOG = LoggerFactory.getLogger(PlanRun.class);
    private static final Duration POLL = Duration.ofMillis(500);

    private final MovePlan plan;
    private final MovePlans plans;
    private final Mover mover;
    private final Set<Integer> running = new HashSet<>();
    private final BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
    private final Set<String> waitsFor = new HashSet<>();
    private final Map<Integer, MoveRefusedException> refusals = new HashMap<>();
    private final Set<UUID> moves = new HashSet<>();
    private final List<Throwable> failures = new ArrayList<>();
    private boolean over;
    private @Nullable Map<Integer, Long> sizes;

    PlanRun(MovePlan plan, MovePlans plans, Mover mover) {
        this.plan = plan;
        this.plans = plans;
        this.mover = mover;
    }

    /** A move that this process has made, or why it has not. */
    private record Ended(int shard, @Nullable Move move, @Nullable Throwable failure) {}

    /** Moves one shard. */
    @FunctionalInterface
    interface Mover {
        Move move(int shard, String target, boolean offline);
    }

    /** Returns the moves that were made. */
    Set<UUID> run(int concurrent) {
        ExecutorService threads = Workers.start("sharded-id-move", concurrent);
        try (HeldConnections held = plans.held(plan)) {
            Connection journal = held.lock(MovePlans.databaseOf(plan.id()));
            moveAll(journal, threads, concurrent);
            try {
                Workers.throwFirst(failures);
                return moves;
            } catch (RuntimeException e) {
                if (!FailureReason.isInterruption(e) && !isLeftToOthers(e)) { // else another process continues it
                    LOG.warn("{} has failed: {}", plan, FailureReason.of(e));
                    MovePlans.end(journal, plan.id(), State.FAILED, FailureReason.of(e));
                }
                throw e;
            }
        } catch (SQLException e) {
            throw stopped(FailureReason.of(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw stopped("it was interrupted", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private MoveUnfinishedException stopped(String why, Exception cause) {
        return new MoveUnfinishedException(
                plan + " has stopped: " + why + ". Another instance of the application continues it.", cause);
    }

    private static boolean isLeftToOthers(Throwable failure) {
        return failure instanceof MoveRefusedException refused && refused.reason() == Reason.UNKNOWN_SCRIPTS;
    }

    private void moveAll(Connection journal, Executor threads, int concurrent) throws InterruptedException {
        while (!over || !running.isEmpty()) {
            PlannedMove next = over || running.size() >= concurrent ? null : next(journal);
            if (next != null) {
                running.add(next.shard());
                threads.execute(() -> ended.add(make(next)));
            }
            Ended move = next == null ? ended.poll(POLL.toMillis(), TimeUnit.MILLISECONDS) : ended.poll();
            if (move != null) {
                end(move);
            }
            over = over || !failures.isEmpty();
        }
    }

    /** If the move is refused, it is planned again after a moment, if it is still left. */
    private Ended make(PlannedMove next) {
        try {
            return new Ended(next.shard(), mover.move(next.shard(), next.target(), plan.offline()), null);
        } catch (RuntimeException | Error e) {
            LockSupport.parkNanos(e instanceof MoveRefusedException ? POLL.toNanos() : 0);
            return new Ended(next.shard(), null, e);
        }
    }

    private void end(Ended move) {
        running.remove(move.shard);
        if (move.move != null) {
            moves.add(move.move.id());
        } else if (!(move.failure instanceof MoveRefusedException refused) || isLeftToOthers(refused)) {
            failures.add(Objects.requireNonNull(move.failure));
        } else if (refused.isDeferred()) {
            waits(refused);
        } else {
            refusals.put(move.shard, refused); // Another process may have begun or completed the same move.
        }
    }

    /** Plans, and returns a move to make; null if there is none now, or the plan is over. */
    private @Nullable PlannedMove next(Connection journal) {
        try {
            return plan(journal);
        } catch (SQLException | RuntimeException e) {
            failures.add(e instanceof RuntimeException ? e : stopped(FailureReason.of(e), e));
            return null;
        }
    }

    private @Nullable PlannedMove plan(Connection journal) throws SQLException {
        Situation now;
        try {
            Map<Integer, Long> known =
                    sizes == null ? plans.sizes() : sizes; // once, since it takes long for many shards
            sizes = known;
            now = plans.situation(plan.goal(), known);
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
        return next;
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
                    move + " has stopped: " + move.failure() + " Resume or abort it, then plan again.", null);
        }
    }

    private void waits(MoveRefusedException reason) {
        String why = String.valueOf(reason.getMessage());
        LOG.atLevel(waitsFor.add(why) ? Level.WARN : Level.DEBUG).log("{} waits: {}", plan, why);
    }
}
