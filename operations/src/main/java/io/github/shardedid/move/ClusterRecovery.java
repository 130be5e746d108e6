package io.github.shardedid.move;

import io.github.shardedid.move.internal.journal.Journal.Abandoned;
import io.github.shardedid.move.internal.recovery.AbandonedMoves;
import io.github.shardedid.operations.internal.Workers;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.topology.CurrentShardMap;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes what was begun by processes that have died or stopped: moves, plans and provisioning.
 *
 * <ul>
 *   <li>Moves are resumed, or aborted if they cannot be resumed while no database serves the shard. A move that has stopped with a {@link
 *       Move#failure} is left alone unless its shard is fenced. Shards that a dead process has fenced to {@linkplain ShardMover#restore
 *       restore} them are served again as before.
 *   <li>Plans are continued with the moves that have not ended.
 *   <li>Provisioning is completed as {@link Provisioner#completeAbandoned} describes.
 * </ul>
 *
 * <p>Looks for such work every {@value #LOOK_SECONDS} seconds, and every second while a shard is fenced. Of several instances, one
 * works on it. A database whose journal the current role does not own is left alone, which is logged once, and asked again
 * half a minute later.
 *
 * <p>Holds a daemon thread, and one for each piece of work. Safe for use by several threads.
 */
public final class ClusterRecovery implements AutoCloseable {
    static final int LOOK_SECONDS = 10;

    private static final Logger LOG = LoggerFactory.getLogger(ClusterRecovery.class);
    private static final Duration FENCE = Duration.ofSeconds(1);
    private static final long BETWEEN_LOOKS = TimeUnit.SECONDS.toNanos(LOOK_SECONDS);
    private static final long BETWEEN_LOOKS_AT_A_FENCE = TimeUnit.SECONDS.toNanos(1);
    private static final long CHECK_MILLIS = 250;
    private static final long CLOSING_MILLIS = 10_000;

    /** Copies of large shards take hours. */
    private static final int MOST_UNFENCED = 2;

    private static final String MOVE = "move-";
    private static final String PROVISIONING = "provisioning";

    private final CurrentShardMap map;
    private final AbandonedMoves moves;
    private final @Nullable Provisioner provisioner;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Map<String, Thread> workers = new ConcurrentHashMap<>();
    private final Thread looking;
    private volatile List<String> problems = List.of();

    /**
     * Starts to look for moves and plans.
     *
     * @param map the shard map, which should be kept up to date
     * @param databases the databases by name, to look for moves. They are not closed by this
     * @param mover creates a mover when the first move is found
     */
    public ClusterRecovery(
            CurrentShardMap map, Map<String, ? extends DataSource> databases, Supplier<ShardMover> mover) {
        this(map, databases, mover, null);
    }

    /**
     * Starts to look for all work.
     *
     * @param map the shard map, which should be kept up to date
     * @param databases the databases by name, to look for moves. They are not closed by this
     * @param mover creates a mover when the first move is found
     * @param provisioner completes provisioning; null if this instance leaves it to others
     */
    public ClusterRecovery(
            CurrentShardMap map,
            Map<String, ? extends DataSource> databases,
            Supplier<ShardMover> mover,
            @Nullable Provisioner provisioner) {
        this.map = map;
        this.provisioner = provisioner;
        this.moves =
                new AbandonedMoves(map, Map.copyOf(databases), () -> mover.get().completion());
        this.looking = Workers.thread("sharded-id-recovery", this::look);
        looking.start();
    }

    /**
     * What this instance has found and cannot complete, as of the last time that it looked.
     *
     * @return a text each, with what to do; empty if there is nothing
     */
    public List<String> problems() {
        return Stream.of(problems, moves.problems()).flatMap(List::stream).toList();
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
            if (provisioner != null) {
                start(PROVISIONING, () -> problems = List.copyOf(provisioner.completeAbandoned()));
            }
            AbandonedMoves.Found found = moves.find();
            for (Abandoned move : found.moves()) {
                if (move.fenced() || unfenced() < MOST_UNFENCED) {
                    start(MOVE + move.move().shard(), () -> moves.recover(move));
                }
            }
            for (RecordedPlan plan : found.plans()) {
                start("plan-" + plan.id(), () -> moves.recover(plan));
            }
        } catch (RuntimeException | Error e) { // such as no more threads: the next look may have some
            LOG.warn("What dead processes have left could not be looked for", e);
        }
    }

    private long unfenced() {
        return workers.keySet().stream().filter(name -> name.startsWith(MOVE)).count();
    }

    /** Does nothing if the same work is under way here. */
    private void start(String name, Runnable work) {
        Thread worker = Workers.thread("sharded-id-recovery-" + name, () -> {
            try {
                work.run();
            } catch (RuntimeException e) {
                LOG.warn("What dead processes have left could not be completed: {}", name, e);
            } finally {
                workers.remove(name);
            }
        });
        if (workers.putIfAbsent(name, worker) == null) {
            boolean started = false;
            try {
                worker.start();
                started = true;
            } finally {
                if (!started) {
                    workers.remove(name);
                }
            }
        }
    }

    /** Ends its threads. Work in progress stays unfinished; another instance completes it. */
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
