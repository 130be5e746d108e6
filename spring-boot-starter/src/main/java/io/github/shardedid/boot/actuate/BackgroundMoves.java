package io.github.shardedid.boot.actuate;

import io.github.shardedid.move.Balance;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.move.MovePlan;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.RecordedPlan;
import io.github.shardedid.move.ShardMover;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
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

    RecordedPlan drain(String database) {
        return begin(mover.drain(database));
    }

    RecordedPlan rebalance(Balance by) {
        return begin(mover.rebalance(by));
    }

    RecordedPlan stop(String plan) {
        return mover.stopPlan(plan);
    }

    private RecordedPlan begin(MovePlan plan) {
        if (plan.moves().isEmpty()) {
            throw new MoveRefusedException("There is nothing to move.");
        }
        RecordedPlan begun = mover.begin(plan, false);
        running.execute(() -> run(begun));
        return begun;
    }

    private void run(RecordedPlan plan) {
        try {
            mover.run(plan);
        } catch (RuntimeException | Error e) {
            LOG.warn("Plan {} stopped here", plan.id(), e);
        }
    }

    /** All plans in the journals of the databases that can be reached. */
    List<RecordedPlan> plans() {
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
}
