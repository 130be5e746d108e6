package io.github.shardedid.move;

import io.github.shardedid.move.internal.journal.Journal.Abandoned;
import io.github.shardedid.move.internal.recovery.AbandonedMoves;
import io.github.shardedid.operations.internal.Workers;
import io.github.shardedid.topology.CurrentShardMap;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes moves whose process has died or stopped: resumes them, or aborts them if they cannot be resumed while no database serves
 * the shard. A move that has stopped with a {@link Move#failure} is left alone unless its shard is fenced. Shards that a dead
 * process has fenced to {@linkplain ShardMover#restore restore} them are served again as before.
 *
 * <p>Looks for such moves every {@value #LOOK_SECONDS} seconds, and every second while a shard is fenced. Of several instances, one
 * works on a move. A database whose journal the current role does not own is left alone, which is logged once.
 *
 * <p>Holds a daemon thread, and one for each move that it works on. Safe for use by several threads.
 */
public final class MoveRecovery implements AutoCloseable {
    static final int LOOK_SECONDS = 10;

    private static final Logger LOG = LoggerFactory.getLogger(MoveRecovery.class);
    private static final Duration FENCE = Duration.ofSeconds(1);
    private static final long BETWEEN_LOOKS = TimeUnit.SECONDS.toNanos(LOOK_SECONDS);
    private static final long BETWEEN_LOOKS_AT_A_FENCE = TimeUnit.SECONDS.toNanos(1);
    private static final long CHECK_MILLIS = 250;
    private static final long CLOSING_MILLIS = 10_000;

    /** Copies of large shards take hours. */
    private static final int MOST_UNFENCED = 2;

    private final CurrentShardMap map;
    private final AbandonedMoves moves;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Map<Integer, Thread> workers = new ConcurrentHashMap<>();
    private final Thread looking;

    /**
     * Starts to look for moves.
     *
     * @param map the shard map, which should be kept up to date
     * @param databases the databases by name, to look for moves. They are not closed by this
     * @param mover creates a mover when the first move is found
     */
    public MoveRecovery(CurrentShardMap map, Map<String, ? extends DataSource> databases, Supplier<ShardMover> mover) {
        this.map = map;
        this.moves =
                new AbandonedMoves(map, Map.copyOf(databases), () -> mover.get().completion());
        this.looking = Workers.thread("sharded-id-move-recovery", this::look);
        looking.start();
    }

    private void look() {
        long last = System.nanoTime() - BETWEEN_LOOKS_AT_A_FENCE;
        boolean first = true;
        while (!isClosed(CHECK_MILLIS)) {
            long since = System.nanoTime() - last;
            boolean fenced = !map.fencedShards(FENCE).isEmpty();
            if (first || since >= BETWEEN_LOOKS || (fenced && since >= BETWEEN_LOOKS_AT_A_FENCE)) {
                first = false;
                last = System.nanoTime();
                recoverAll();
            }
        }
    }

    private boolean isClosed(long millis) {
        try {
            return closing.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private void recoverAll() {
        try {
            for (Abandoned move : moves.find()) {
                int shard = move.move().shard();
                boolean room = move.fenced() || workers.size() < MOST_UNFENCED;
                if (room && !workers.containsKey(shard)) {
                    Thread worker = Workers.thread("sharded-id-move-recovery-" + shard, () -> recover(move));
                    workers.put(shard, worker);
                    start(shard, worker);
                }
            }
        } catch (RuntimeException | Error e) { // such as no more threads: the next look may have some
            LOG.warn("Moves whose process has died could not be looked for", e);
        }
    }

    private void start(int shard, Thread worker) {
        boolean started = false;
        try {
            worker.start();
            started = true;
        } finally {
            if (!started) {
                workers.remove(shard);
            }
        }
    }

    private void recover(Abandoned move) {
        try {
            moves.recover(move);
        } finally {
            workers.remove(move.move().shard());
        }
    }

    /** Ends its threads. A move in progress stays unfinished; another instance completes it. */
    @Override
    public void close() {
        closing.countDown();
        looking.interrupt();
        try {
            looking.join(CLOSING_MILLIS);
            Set.copyOf(workers.values()).forEach(Thread::interrupt);
            for (Thread worker : Set.copyOf(workers.values())) {
                worker.join(CLOSING_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
