package io.github.shardedid.move.internal.plan;

import io.github.shardedid.move.DeferredMoveException;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveUnfinishedException;
import io.github.shardedid.move.PlannedMove;
import io.github.shardedid.move.RecordedPlan;
import io.github.shardedid.move.RecordedPlan.State;
import io.github.shardedid.move.UnknownScriptsException;
import io.github.shardedid.move.internal.journal.Journal.Unfinished;
import io.github.shardedid.move.internal.plan.Planning.Situation;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Interruption;
import io.github.shardedid.operations.internal.Workers;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Runs a plan. Each of some threads plans the moves that are left from where the shards are now, makes one of them, and plans again, until
 * none is left. Moves that others make count as under way. The journal is used by one thread at a time.
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
    private final Set<Integer> running = new HashSet<>();
    private final Set<Object> deferred = new HashSet<>();
    private final Set<UUID> moves = new HashSet<>();
    private @Nullable Map<Integer, Long> sizes;
    private @Nullable UnknownScriptsException unknownScripts;
    private boolean reached;
    private boolean failed;
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

    /** Returns the moves that were made. After a failure none is begun; those under way end first. */
    Set<UUID> run() throws SQLException {
        if (!journal.isRunning(plan.id())) {
            return moves;
        }
        report(journal.done(plan.id(), done));
        try {
            work();
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

    private void work() {
        ExecutorService threads = Workers.start("sharded-id-move", options.concurrentMoves());
        try {
            List<Future<Boolean>> all = Stream.generate(() -> threads.submit(this::moveUntilNoneIsLeft))
                    .limit(options.concurrentMoves())
                    .toList();
            Workers.results(all);
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

    private boolean moveUntilNoneIsLeft() throws InterruptedException {
        try {
            while (goesOn()) {
                PlannedMove next = next();
                if (next == null || !move(next)) {
                    Thread.sleep(POLL_MILLIS);
                }
            }
            return true;
        } catch (SQLException e) {
            fail();
            throw new MoveUnfinishedException(
                    PlanJournal.title(plan) + " has stopped: " + FailureReason.of(e) + ".", e);
        } catch (RuntimeException | Error e) {
            fail();
            throw e;
        }
    }

    private synchronized void fail() {
        failed = true;
    }

    private synchronized boolean goesOn() throws SQLException {
        return !failed && !reached && unknownScripts == null && journal.isRunning(plan.id());
    }

    /** Plans, and returns a move to make; null if there is none now. */
    private synchronized @Nullable PlannedMove next() throws SQLException {
        Situation now;
        try {
            now = situation();
            deferred.remove(plan.id());
        } catch (DeferredMoveException e) {
            waits(plan.id(), e);
            return null;
        }
        now.moves().forEach(move -> observe(now.underWay().get(move.shard())));
        count(now.moves().size());
        reached = now.moves().isEmpty() && running.isEmpty();
        PlannedMove next = now.moves().stream()
                .filter(move ->
                        !running.contains(move.shard()) && !now.underWay().containsKey(move.shard()))
                .min(Comparator.comparing(move -> deferred.contains(move.shard())))
                .orElse(null);
        if (next != null) {
            running.add(next.shard());
        }
        return next;
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
        if (underWay.stopped() && !running.contains(move.shard())) {
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

    /** Returns false if it was not made now. A rolling restart is a reason that passes. */
    private boolean move(PlannedMove planned) {
        int shard = planned.shard();
        try {
            made(mover.move(shard, planned.target(), plan.offline()));
            return true;
        } catch (UnknownScriptsException e) {
            leave(e);
            return false;
        } catch (DeferredMoveException e) {
            waits(shard, e);
            return false;
        } catch (MoveRefusedException e) {
            if (isMadeByOthers(shard)) {
                return false;
            }
            throw e;
        } finally {
            ended(shard);
        }
    }

    private synchronized void made(Move move) {
        moves.add(move.id());
        deferred.remove(move.shard());
    }

    private synchronized void leave(UnknownScriptsException e) {
        unknownScripts = e;
    }

    private synchronized void ended(int shard) {
        running.remove(shard);
    }

    private synchronized void waits(Object what, DeferredMoveException reason) {
        LOG.atLevel(deferred.add(what) ? Level.WARN : Level.DEBUG)
                .log("{} waits: {}", PlanJournal.title(plan), reason.getMessage());
    }

    /** Another process may have begun or completed the same move meanwhile. */
    private synchronized boolean isMadeByOthers(int shard) {
        try {
            Situation now = situation();
            return now.underWay().containsKey(shard) || now.moves().stream().noneMatch(move -> move.shard() == shard);
        } catch (DeferredMoveException e) {
            return true; // Not known now: the move is planned again if it is left.
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
