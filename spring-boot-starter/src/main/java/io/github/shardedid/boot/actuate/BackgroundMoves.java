package io.github.shardedid.boot.actuate;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.ShardMover;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
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
    private final MovesUnderWay underWay = new MovesUnderWay();

    /**
     * Takes over what is closed with it.
     *
     * @param concurrent how many at once; further ones wait
     * @param databases what the mover's connections come from
     * @param mover makes a mover that tells a listener
     */
    BackgroundMoves(int concurrent, AutoCloseable databases, Function<MoveListener, ShardMover> mover) {
        this.databases = databases;
        this.mover = mover.apply(underWay::progress);
        AtomicInteger number = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(concurrent, work -> {
            Thread thread = new Thread(work, "sharded-id-move-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Begins on another thread, or waits for its turn there. What is in the way at once is thrown. */
    MovesUnderWay.Work move(int shard, String target) {
        List<String> hindrances = mover.check(shard, target);
        if (!hindrances.isEmpty()) {
            throw new MoveRefusedException(
                    "Shard " + shard + " cannot be moved to " + target + ": " + String.join("; ", hindrances));
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

    private void requireUnfinished(int shard) {
        if (journals().stream()
                .allMatch(move -> move.shard() != shard || move.step().ended())) {
            throw new MoveRefusedException(
                    "Shard " + shard + " has no unfinished move, as far as the databases that can be"
                            + " reached know. If one of them is down, ask again when it is back.");
        }
    }

    /** What has been asked for here: it is under way, waits for its turn, or has failed. */
    List<MovesUnderWay.Work> underWay() {
        return underWay.all();
    }

    /** What the journals of all databases that can be reached say. */
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
        if (!threads.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS)) {
            LOG.warn("Moves are still under way: {}. They end with the process, and can be resumed", underWay.all());
        }
        databases.close();
    }
}
