package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.ShardMover;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves shards on threads of its own while the application serves, a bounded number at once. A move that the application's
 * shutdown interrupts is unfinished: its journal says how far it is. Safe for use by several threads.
 */
final class BackgroundMoves implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundMoves.class);
    private static final long CLOSING_SECONDS = 10;

    private final ShardMover mover;
    private final AutoCloseable databases;
    private final ExecutorService threads;
    private final Map<Integer, UnderWay> underWay = new ConcurrentSkipListMap<>();

    /**
     * Takes over what is closed with it.
     *
     * @param concurrent how many at once; further ones wait
     * @param databases what the mover's connections come from
     * @param mover makes a mover that tells a listener
     */
    BackgroundMoves(int concurrent, AutoCloseable databases, Function<MoveListener, ShardMover> mover) {
        this.databases = databases;
        MoveLog log = new MoveLog();
        this.mover = mover.apply(progress -> {
            underWay.computeIfPresent(progress.move().shard(), (shard, before) -> before.at(progress));
            log.progress(progress);
        });
        AtomicInteger number = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(concurrent, work -> {
            Thread thread = new Thread(work, "sharded-id-move-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Something that was asked for.
     *
     * @param shard the logical shard
     * @param action what was asked for
     * @param progress how far it is; null while it waits for its turn
     * @param failure why it has ended, or null
     */
    record UnderWay(int shard, String action, @Nullable MoveProgress progress, @Nullable String failure) {
        UnderWay at(MoveProgress now) {
            return new UnderWay(shard, action, now, failure);
        }
    }

    /** Begins on another thread, or waits for its turn there. What is in the way at once is thrown. */
    UnderWay move(int shard, String target) {
        List<String> hindrances = mover.check(shard, target);
        if (!hindrances.isEmpty()) {
            throw new MoveRefusedException(
                    "Shard " + shard + " cannot be moved to " + target + ": " + String.join("; ", hindrances));
        }
        return start(shard, "move", () -> mover.move(shard, target));
    }

    UnderWay resume(int shard) {
        return start(shard, "resume", () -> mover.resume(shard));
    }

    UnderWay abort(int shard) {
        return start(shard, "abort", () -> mover.abort(shard));
    }

    /** What has been asked for here: it is under way, waits for its turn, or has failed. */
    List<UnderWay> underWay() {
        return List.copyOf(underWay.values());
    }

    /** What the journals of all databases that can be reached say. */
    List<Move> journals() {
        return mover.moves();
    }

    private UnderWay start(int shard, String action, Runnable work) {
        UnderWay next = new UnderWay(shard, action, null, null);
        underWay.compute(shard, (key, before) -> {
            if (before != null && before.failure() == null) {
                throw new MoveRefusedException("Shard " + shard + " has work under way here: " + before.action()
                        + ". Wait for its end; the endpoint shards shows how far it is.");
            }
            return next;
        });
        threads.execute(() -> run(shard, work));
        return next;
    }

    private void run(int shard, Runnable work) {
        try {
            work.run();
            underWay.remove(shard);
        } catch (RuntimeException | Error e) {
            LOG.warn("A move of shard {} stopped", shard, e);
            underWay.computeIfPresent(
                    shard,
                    (key, before) ->
                            new UnderWay(shard, before.action(), before.progress(), String.valueOf(e.getMessage())));
        }
    }

    @Override
    public void close() throws Exception {
        threads.shutdownNow();
        if (!threads.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS)) {
            LOG.warn("Moves are still under way: {}. They end with the process, and can be resumed", underWay.keySet());
        }
        databases.close();
    }
}
