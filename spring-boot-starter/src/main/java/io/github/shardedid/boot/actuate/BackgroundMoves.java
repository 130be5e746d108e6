package io.github.shardedid.boot.actuate;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveGoal;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.move.MovePlan;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.ShardMover;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves shards in background threads of a running application, a limited number at a time. A move that is interrupted by the
 * shutdown of the application remains unfinished in its journal. Safe for use by several threads.
 */
final class BackgroundMoves implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundMoves.class);
    private static final long CLOSING_SECONDS = 10;

    private final ShardMover mover;
    private final AutoCloseable pools;
    private final ExecutorService threads;
    private final ExecutorService running;
    private final MovesUnderWay underWay = new MovesUnderWay();

    /**
     * Creates an instance that closes the pools.
     *
     * @param concurrent maximum number of moves at a time; others wait
     * @param pools connection pools of the mover
     * @param mover creates a mover that notifies a listener
     */
    BackgroundMoves(int concurrent, AutoCloseable pools, Function<MoveListener, ShardMover> mover) {
        this.pools = pools;
        this.mover = mover.apply(underWay::progress);
        this.threads = Executors.newFixedThreadPool(concurrent, daemons("sharded-id-move-"));
        this.running = Executors.newCachedThreadPool(daemons("sharded-id-plan-"));
    }

    private static ThreadFactory daemons(String name) {
        AtomicInteger number = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(work, name + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Starts a move in a background thread, or queues it. Throws an exception if there are obstacles now. */
    MovesUnderWay.Work move(int shard, String target) {
        List<String> obstacles = mover.check(shard, target);
        if (!obstacles.isEmpty()) {
            throw new MoveRefusedException(
                    "Shard " + shard + " cannot be moved to " + target + ": " + String.join("; ", obstacles));
        }
        return start(shard, "move", () -> mover.move(shard, target));
    }

    MovesUnderWay.Work resume(int shard) {
        requireUnfinished(shard);
        return start(shard, "resume", () -> mover.resume(shard));
    }

    MovesUnderWay.Work abort(int shard) {
        requireUnfinished(shard);
        return start(shard, "abort", () -> mover.abort(shard));
    }

    MovePlan begin(MoveGoal goal) {
        MovePlan begun = mover.begin(goal, false);
        running.execute(() -> run(begun));
        return begun;
    }

    MovePlan stop(String plan) {
        return mover.stopPlan(plan);
    }

    private void run(MovePlan plan) {
        try {
            mover.run(plan);
        } catch (RuntimeException | Error e) {
            LOG.warn("Plan {} stopped here", plan.id(), e);
        }
    }

    /** All plans in the journals of the databases that can be reached. */
    List<MovePlan> plans() {
        return mover.plans();
    }

    private void requireUnfinished(int shard) {
        if (journals().stream()
                .allMatch(move -> move.shard() != shard || move.step().ended())) {
            throw new MoveRefusedException(
                    "Shard " + shard + " has no unfinished move in the databases that can be reached."
                            + " If a database is down, retry when it is available.");
        }
    }

    /** The work that was requested in this process: in progress, queued or failed. */
    List<MovesUnderWay.Work> underWay() {
        return underWay.all();
    }

    /** All moves in the journals of the databases that can be reached. */
    List<Move> journals() {
        return mover.moves();
    }

    private MovesUnderWay.Work start(int shard, String action, Runnable work) {
        MovesUnderWay.Work next = underWay.begin(shard, action);
        threads.execute(() -> run(shard, work));
        return next;
    }

    private void run(int shard, Runnable work) {
        try {
            work.run();
            underWay.done(shard);
        } catch (RuntimeException | Error e) {
            LOG.warn("A move of shard {} stopped", shard, e);
            underWay.failed(shard, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() throws Exception {
        threads.shutdownNow();
        running.shutdownNow();
        boolean ended = threads.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS);
        if (!(running.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS) && ended)) {
            LOG.warn(
                    "Moves are still in progress: {}. They stop with this process, and can be resumed", underWay.all());
        }
        pools.close();
    }

    /**
     * Work on shards that was requested in this process and is not done, and the latest failures. The journals contain all moves. Safe
     * for use by several threads.
     */
    static final class MovesUnderWay {
        static final int MOST_FAILURES = 50;

        private final Map<Integer, Work> byShard = new TreeMap<>();
        private final Set<Integer> failed = new LinkedHashSet<>();

        /**
         * Requested work on a shard.
         *
         * @param shard the logical shard
         * @param action the requested action
         * @param progress its progress; null while it is queued
         * @param failure why it failed, or null
         */
        record Work(int shard, String action, @Nullable MoveProgress progress, @Nullable String failure) {}

        /** Adds work, in place of an earlier failure of the shard. */
        synchronized Work begin(int shard, String action) {
            Work before = byShard.get(shard);
            if (before != null && before.failure() == null) {
                throw new MoveRefusedException("Shard " + shard + " already has work in progress here: "
                        + before.action() + ". Wait until it ends; the endpoint shards shows its progress.");
            }
            Work next = new Work(shard, action, null, null);
            byShard.put(shard, next);
            failed.remove(shard);
            return next;
        }

        synchronized void progress(MoveProgress progress) {
            byShard.computeIfPresent(
                    progress.move().shard(), (shard, work) -> new Work(shard, work.action(), progress, work.failure()));
        }

        synchronized void done(int shard) {
            byShard.remove(shard);
        }

        synchronized void failed(int shard, String failure) {
            byShard.computeIfPresent(shard, (key, work) -> new Work(shard, work.action(), work.progress(), failure));
            failed.add(shard);
            if (failed.size() > MOST_FAILURES) {
                int oldest = failed.iterator().next();
                failed.remove(oldest);
                byShard.remove(oldest);
            }
        }

        /** Ordered by shard. */
        synchronized List<Work> all() {
            return new ArrayList<>(byShard.values());
        }
    }
}
