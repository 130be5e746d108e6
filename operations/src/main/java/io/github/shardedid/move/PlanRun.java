package io.github.shardedid.move;

import io.github.shardedid.move.MovePlan.PlannedMove;
import io.github.shardedid.move.MoveRefusedException.Reason;
import io.github.shardedid.move.Planning.Situation;
import io.github.shardedid.move.RecordedPlan.State;
import io.github.shardedid.move.internal.replication.MoveJournal.Unfinished;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Interruption;
import io.github.shardedid.operations.internal.Workers;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Runs a plan, which is a standing order: whoever holds its lock makes the moves that are left, until none is.
 *
 * <ol>
 *   <li>The moves that reach the goal are planned from where the shards are now.
 *   <li>Those that nobody makes yet are begun, as many at once as the options allow; one that was deferred comes after the others.
 *   <li>When one of them ends, or after a moment, it is planned again. Moves that others make count as in progress.
 *   <li>After a failure, or if the plan was stopped, no further move begins; those in progress end first.
 * </ol>
 *
 * <p>Only the moves themselves run on other threads.
 */
final class PlanRun {
    private static final Logger LOG = LoggerFactory.getLogger(PlanRun.class);
    private static final long POLL_MILLIS = 500;
    private static final long CLOSING_SECONDS = 10;
    private static final long SIGN_OF_LIFE = TimeUnit.MINUTES.toNanos(1);

    private final RecordedPlan plan;
    private final PlanJournal journal;
    private final Planning planning;
    private final MoveOptions options;
    private final Plans.Mover mover;
    private final IdentityHashMap<Future<Move>, PlannedMove> running = new IdentityHashMap<>();
    private final Set<Object> deferred = new HashSet<>();
    private final Set<UUID> moves = new HashSet<>();
    private final List<Throwable> failures = new ArrayList<>();
    private @Nullable Map<Integer, Long> sizes;
    private @Nullable MoveRefusedException unknownScripts;
    private boolean reached;
    private int done;
    private long written = System.nanoTime();

    PlanRun(RecordedPlan plan, PlanJournal journal, Planning planning, MoveOptions options, Plans.Mover mover) {
        this.plan = plan;
        this.journal = journal;
        this.planning = planning;
        this.options = options;
        this.mover = mover;
        this.done = plan.done();
    }

    /** Returns the moves that were made. */
    Set<UUID> run() throws SQLException {
        if (!journal.isRunning(plan.id())) {
            return moves;
        }
        report(journal.done(plan.id(), done));
        try {
            moveAll();
            Workers.throwFirst(failures);
        } catch (RuntimeException e) {
            if (!Interruption.is(e)) { // else another process continues it
                LOG.warn("{} has failed: {}", PlanJournal.title(plan), FailureReason.of(e));
                report(journal.end(plan.id(), State.FAILED, FailureReason.of(e)));
            }
            throw e;
        }
        if (reached) {
            report(journal.end(plan.id(), State.DONE, null));
        } else if (unknownScripts != null) {
            throw unknownScripts; // The plan goes on where the scripts are known.
        }
        return moves;
    }

    private void moveAll() {
        ExecutorService threads = Workers.start("sharded-id-move", options.concurrentMoves());
        CompletionService<Move> ended = new ExecutorCompletionService<>(threads);
        try {
            while (begin(ended) || !running.isEmpty()) {
                Future<Move> one = ended.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (one != null) {
                    end(one);
                }
            }
        } catch (InterruptedException e) {
            awaitEnd(threads);
            Thread.currentThread().interrupt();
            throw new MoveUnfinishedException(
                    PlanJournal.title(plan) + " was interrupted. Another instance of the application continues it.", e);
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

    /** Begins moves; returns false if no further one will begin. */
    private boolean begin(CompletionService<Move> threads) {
        try {
            while (goesOn() && running.size() < options.concurrentMoves()) {
                PlannedMove next = next();
                if (next == null) {
                    break;
                }
                running.put(threads.submit(() -> move(next)), next);
            }
            return goesOn();
        } catch (SQLException e) {
            failures.add(new MoveUnfinishedException(
                    PlanJournal.title(plan) + " has stopped: " + FailureReason.of(e) + ".", e));
        } catch (RuntimeException | Error e) {
            failures.add(e);
        }
        return false;
    }

    private boolean goesOn() throws SQLException {
        return failures.isEmpty() && !reached && unknownScripts == null && journal.isRunning(plan.id());
    }

    /** Plans, and returns a move to make; null if there is none now. */
    private @Nullable PlannedMove next() throws SQLException {
        Situation now;
        try {
            now = situation();
            deferred.remove(plan.id());
        } catch (MoveRefusedException e) {
            if (!e.isDeferred()) {
                throw e;
            }
            waits(plan.id(), e);
            return null;
        }
        now.moves().forEach(move -> observe(now.underWay().get(move.shard())));
        count(now.moves().size());
        reached = now.moves().isEmpty() && running.isEmpty();
        return now.moves().stream()
                .filter(move -> !isRunning(move.shard()) && !now.underWay().containsKey(move.shard()))
                .min(Comparator.comparing(move -> deferred.contains(move.shard())))
                .orElse(null);
    }

    private boolean isRunning(int shard) {
        return running.values().stream().anyMatch(move -> move.shard() == shard);
    }

    private Situation situation() {
        Map<Integer, Long> known = sizes;
        if (known == null) {
            known = planning.sizes();
            sizes = known;
        }
        return planning.situation(plan.goal(), known);
    }

    /** A move that has stopped for a reason of its own is not recovered. */
    private void observe(@Nullable Unfinished underWay) {
        if (underWay == null) {
            return;
        }
        Move move = underWay.move();
        moves.add(move.id());
        if (underWay.stopped() && !isRunning(move.shard())) {
            throw new MoveUnfinishedException(
                    "The move of shard " + move.shard() + " from " + move.source() + " to " + move.target()
                            + " has stopped: " + move.failure() + " Resume or abort it, then plan again.",
                    null);
        }
    }

    /** Also writes now and then that a process works on the plan. */
    private void count(int left) throws SQLException {
        int now = Math.max(done, plan.total() - left);
        if (now != done || System.nanoTime() - written > SIGN_OF_LIFE) {
            RecordedPlan recorded = journal.done(plan.id(), now);
            written = System.nanoTime();
            if (now != done) {
                done = now;
                report(recorded);
            }
        }
    }

    /** Runs on a thread of its own. A rolling restart is a reason that passes. */
    private Move move(PlannedMove planned) throws InterruptedException {
        try {
            return mover.move(planned.shard(), planned.target(), plan.offline());
        } catch (MoveRefusedException e) {
            Thread.sleep(POLL_MILLIS); // before it is tried again
            throw e;
        }
    }

    private void end(Future<Move> one) throws InterruptedException {
        PlannedMove planned = Objects.requireNonNull(running.remove(one));
        try {
            moves.add(one.get().id());
            deferred.remove(planned.shard());
        } catch (ExecutionException e) {
            Throwable failure = e.getCause();
            if (!(failure instanceof MoveRefusedException refused)) {
                failures.add(failure);
            } else if (refused.reason() == Reason.UNKNOWN_SCRIPTS) {
                unknownScripts = refused;
            } else if (refused.isDeferred()) {
                waits(planned.shard(), refused);
            } else if (!isMadeByOthers(planned.shard())) {
                failures.add(refused);
            }
        }
    }

    private void waits(Object what, MoveRefusedException reason) {
        LOG.atLevel(deferred.add(what) ? Level.WARN : Level.DEBUG)
                .log("{} waits: {}", PlanJournal.title(plan), reason.getMessage());
    }

    /** Another process may have begun or completed the same move meanwhile. */
    private boolean isMadeByOthers(int shard) {
        try {
            Situation now = situation();
            return now.underWay().containsKey(shard) || now.moves().stream().noneMatch(move -> move.shard() == shard);
        } catch (MoveRefusedException e) {
            return e.isDeferred(); // Not known now: the move is planned again if it is left.
        }
    }

    private void report(RecordedPlan now) {
        try {
            options.listener().plan(now);
        } catch (RuntimeException e) {
            LOG.warn("{}: the listener failed", PlanJournal.title(plan), e);
        }
    }
}
