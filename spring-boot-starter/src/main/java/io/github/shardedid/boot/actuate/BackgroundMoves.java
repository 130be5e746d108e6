package io.github.shardedid.boot.actuate;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveGoal;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.move.MovePlan;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.ShardMover;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Moves shards in background threads of a running application, a limited number at a time. A move that is interrupted by the
 * shutdown of the application remains unfinished in its journal. Safe for use by several threads.
 */
final class BackgroundMoves implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundMoves.class);

    private final ShardMover mover;
    private final AutoCloseable pools;
    private final ExecutorService moves;
    private final ExecutorService plans = Executors.newCachedThreadPool(threads("sharded-id-plan-"));
    private final Map<Integer, Work> underWay = new ConcurrentSkipListMap<>();

    /**
     * Work on a shard that was requested in this process and is not done. The journals contain all moves.
     *
     * @param shard the logical shard
     * @param action the requested action
     * @param progress its progress; null while it is queued
     * @param failure why it failed, or null
     */
    record Work(int shard, String action, @Nullable MoveProgress progress, @Nullable String failure) {}

    /**
     * Creates an instance that closes the pools.
     *
     * @param concurrent maximum number of moves at a time, beside those of plans; others wait
     * @param pools connection pools of the mover
     * @param mover creates a mover that notifies a listener
     */
    BackgroundMoves(int concurrent, AutoCloseable pools, Function<MoveListener, ShardMover> mover) {
        this.pools = pools;
        this.moves = Executors.newFixedThreadPool(concurrent, threads("sharded-id-move-"));
        this.mover = mover.apply(progress -> underWay.computeIfPresent(
                progress.move().shard(), (shard, work) -> new Work(shard, work.action(), progress, work.failure())));
    }

    private static CustomizableThreadFactory threads(String prefix) {
        CustomizableThreadFactory threads = new CustomizableThreadFactory(prefix);
        threads.setDaemon(true);
        return threads;
    }

    ShardMover mover() {
        return mover;
    }

    /** Starts a move, or queues it. Throws an exception if there are obstacles now. */
    Work move(int shard, String target) {
        List<String> obstacles = mover.check(shard, target);
        if (!obstacles.isEmpty()) {
            throw new MoveRefusedException(
                    "Shard " + shard + " cannot be moved to " + target + ": " + String.join("; ", obstacles));
        }
        return start(shard, "move", () -> mover.move(shard, target));
    }

    Work resume(int shard) {
        return start(unfinished(shard), "resume", () -> mover.resume(shard));
    }

    Work abort(int shard) {
        return start(unfinished(shard), "abort", () -> mover.abort(shard));
    }

    private int unfinished(int shard) {
        for (Move move : mover.moves()) {
            if (move.shard() == shard && !move.step().ended()) {
                return shard;
            }
        }
        throw new MoveRefusedException(
                "Shard " + shard + " has no unfinished move in the databases that can be reached."
                        + " If a database is down, retry when it is available.");
    }

    private Work start(int shard, String action, Runnable work) {
        Work next = new Work(shard, action, null, null);
        Work before = underWay.putIfAbsent(shard, next);
        if (before != null && (before.failure() == null || !underWay.replace(shard, before, next))) {
            throw new MoveRefusedException("Shard " + shard + " already has work in progress here: " + before.action()
                    + ". Wait until it ends; the endpoint shards shows its progress.");
        }
        moves.execute(() -> {
            try {
                work.run();
                underWay.remove(shard);
            } catch (RuntimeException | Error e) {
                LOG.warn("A move of shard {} stopped", shard, e);
                underWay.computeIfPresent(
                        shard, (key, last) -> new Work(shard, action, last.progress(), String.valueOf(e.getMessage())));
            }
        });
        return next;
    }

    MovePlan begin(MoveGoal goal) {
        MovePlan begun = mover.begin(goal, false);
        plans.execute(() -> {
            try {
                mover.run(begun);
            } catch (RuntimeException | Error e) {
                LOG.warn("Plan {} stopped here", begun.id(), e);
            }
        });
        return begun;
    }

    /** Work in progress, queued or failed, ordered by shard. */
    Collection<Work> underWay() {
        return List.copyOf(underWay.values());
    }

    @Override
    public void close() throws Exception {
        moves.shutdownNow();
        plans.shutdownNow();
        if (!moves.awaitTermination(10, TimeUnit.SECONDS) || !plans.awaitTermination(10, TimeUnit.SECONDS)) {
            LOG.warn("Moves are still in progress: {}. They stop with this process, and can be resumed", underWay());
        }
        pools.close();
    }
}
