package io.github.shardedid.generator;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.id.IdLayout;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acquires leases in the background, renews them when half of their duration has passed, and releases those of shards that were not
 * used in between. Callers never wait. Safe for use by several threads.
 */
final class LeaseKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
    private static final long LONGEST_RETRY = TimeUnit.SECONDS.toNanos(30);
    private static final long CLOSING_SECONDS = 10;

    private final UUID holder = UUID.randomUUID();
    private final LeaseStore store;
    private final IntFunction<String> databaseOf;
    private final IdLayout layout;
    private final JvmIdOptions options;
    private final long aheadSteps;
    private final long retryNanos;
    private final LongSupplier nanoTime;
    private final Map<String, LeaseWorker> workers = new ConcurrentHashMap<>();
    private volatile boolean closed;

    LeaseKeeper(
            LeaseStore store,
            IntFunction<String> databaseOf,
            IdLayout layout,
            JvmIdOptions options,
            LongSupplier nanoTime) {
        this.store = store;
        this.databaseOf = databaseOf;
        this.layout = layout;
        this.options = options;
        this.aheadSteps = stepsOf(options.ahead(), layout);
        this.retryNanos = Math.min(LONGEST_RETRY, options.lease().toNanos() / 10);
        this.nanoTime = nanoTime;
    }

    /** A duration in the layout's unit, rounded up. */
    static long stepsOf(Duration duration, IdLayout layout) {
        int unit = layout.unit().millis();
        return (duration.toMillis() + unit - 1) / unit;
    }

    /** Requests a lease, unless a request is running or was refused recently. */
    void request(ShardLease shard) {
        if (!closed && shard.isDue(now()) && shard.busy().compareAndSet(false, true)) {
            start(shard);
        }
    }

    private void start(ShardLease shard) {
        boolean started = false;
        try {
            LeaseWorker worker = workerOf(shard);
            worker.run(() -> acquire(shard, worker), 0);
            started = true;
        } catch (RejectedExecutionException e) {
            LOG.debug("The source of ids is being closed", e);
        } catch (ShardedIdException e) {
            LOG.debug("The shard map has no database for shard {}", shard.shard(), e);
            shard.refuse(FallbackReason.DATABASE_UNREACHABLE, now() + retryNanos);
        } finally {
            if (!started) {
                shard.busy().set(false);
            }
        }
    }

    private void acquire(ShardLease shard, LeaseWorker worker) {
        try {
            NodeLease held = shard.lease();
            if (!closed && (held == null || held.hasEnded(now()))) {
                attempt(shard, worker);
            }
        } finally {
            shard.busy().set(false);
        }
    }

    private void renew(ShardLease shard, NodeLease lease, LeaseWorker running) {
        if (closed || lease != shard.lease()) {
            return;
        }
        LeaseWorker worker = workerOf(shard, running);
        if (!shard.busy().compareAndSet(false, true)) {
            renewLater(shard, lease, worker, retryNanos);
            return;
        }
        try {
            if (!shard.isUsed()) {
                release(shard, worker);
            } else if (!attempt(shard, worker) && shard.lease() == lease) {
                renewLater(shard, lease, worker, retryNanos);
            }
        } finally {
            shard.busy().set(false);
        }
    }

    private void renewLater(ShardLease shard, NodeLease lease, LeaseWorker worker, long delay) {
        worker.run(() -> renew(shard, lease, worker), delay);
    }

    /** Tries once to acquire or renew the lease. A lease that could not be renewed stays valid until its end. */
    private boolean attempt(ShardLease shard, LeaseWorker worker) {
        NodeLease held = shard.lease();
        FallbackReason refused = ask(shard, worker, held);
        if (refused == null) {
            return true;
        }
        shard.refuse(refused, now() + retryNanos);
        if (held != null && held.hasEnded(now())) {
            shard.forget();
            options.listener().lost(shard.shard(), held.node());
        }
        return false;
    }

    private @Nullable FallbackReason ask(ShardLease shard, LeaseWorker worker, @Nullable NodeLease held) {
        if (worker.isBlocked(now())) {
            return FallbackReason.DATABASE_UNREACHABLE;
        }
        try {
            LeaseStore.LeaseAnswer answer = store.lease(shard.shard(), holder, held == null ? null : held.node());
            if (answer.refused() == null) {
                granted(shard, worker, held, answer);
            }
            return answer.refused();
        } catch (SQLException | RuntimeException e) {
            LOG.debug("No lease was granted in shard {}", shard.shard(), e);
            if (isUnreachable(e)) {
                worker.block(now() + retryNanos);
            }
            return FallbackReason.DATABASE_UNREACHABLE;
        }
    }

    private static boolean isUnreachable(Exception e) {
        return e instanceof SQLException sql
                && sql.getSQLState() != null
                && sql.getSQLState().startsWith("08");
    }

    private void granted(
            ShardLease shard, LeaseWorker worker, @Nullable NodeLease held, LeaseStore.LeaseAnswer answer) {
        long now = now();
        NodeLease lease = new NodeLease(layout, shard.shard(), answer, now, aheadSteps);
        boolean renewed = held != null && held.node() == lease.node() && !held.hasEnded(now);
        // Notified first: whoever sees an id of this JVM finds its lease counted.
        if (renewed) {
            options.listener().renewed(shard.shard(), lease.node());
        } else {
            if (held != null) {
                options.listener().lost(shard.shard(), held.node());
            }
            LOG.debug("Node {} of shard {} is leased", lease.node(), shard.shard());
            options.listener().granted(shard.shard(), lease.node());
        }
        shard.grant(lease);
        renewLater(shard, lease, worker, options.lease().toNanos() / 2);
        if (closed) {
            release(shard, worker);
        }
    }

    /** Seals the counters first: a thread that has read the lease must not use it after its release. */
    private void release(ShardLease shard, LeaseWorker worker) {
        NodeLease held = shard.lease();
        if (held == null) {
            return;
        }
        long last = shard.seal();
        shard.refuse(FallbackReason.NO_LEASE_YET, now());
        if (releaseNode(shard, worker, (last >>> (layout.shardBits() + layout.sequenceBits())) + 1)) {
            options.listener().released(shard.shard(), held.node());
        } else {
            options.listener().lost(shard.shard(), held.node());
        }
    }

    private boolean releaseNode(ShardLease shard, LeaseWorker worker, long stamp) {
        if (worker.isBlocked(now())) {
            return false;
        }
        try {
            store.release(shard.shard(), holder, stamp);
            return true;
        } catch (SQLException | RuntimeException e) {
            LOG.debug("The lease of shard {} could not be released; it expires by itself", shard.shard(), e);
            if (isUnreachable(e)) {
                worker.block(now() + retryNanos);
            }
            return false;
        }
    }

    private LeaseWorker workerOf(ShardLease shard) {
        return workers.computeIfAbsent(databaseOf.apply(shard.shard()), database -> new LeaseWorker(database, now()));
    }

    /** The worker of the database that owns a shard; the one at hand while none is known to own it. */
    private LeaseWorker workerOf(ShardLease shard, LeaseWorker otherwise) {
        try {
            return workerOf(shard);
        } catch (ShardedIdException e) {
            LOG.debug("The shard map has no database for shard {}", shard.shard(), e);
            return otherwise;
        }
    }

    private long now() {
        return nanoTime.getAsLong();
    }

    boolean isClosed() {
        return closed;
    }

    /** Releases all leases, waiting a few seconds at most. Those that could not be released expire by themselves. */
    void close(List<ShardLease> shards) {
        closed = true;
        Map<LeaseWorker, List<ShardLease>> byWorker = new HashMap<>();
        for (ShardLease shard : shards) {
            try {
                byWorker.computeIfAbsent(workerOf(shard), worker -> new ArrayList<>())
                        .add(shard);
            } catch (ShardedIdException e) {
                shard.seal();
            }
        }
        List<Future<?>> releases = new ArrayList<>();
        byWorker.forEach(
                (worker, some) -> releases.add(worker.runLast(() -> some.forEach(shard -> release(shard, worker)))));
        await(releases);
        workers.values().forEach(LeaseWorker::stop);
    }

    private static void await(List<Future<?>> releases) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSING_SECONDS);
        try {
            for (Future<?> release : releases) {
                release.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("Not all leases of JVM nodes could be released; they expire within minutes", e);
        }
    }

    /**
     * The background thread for the leases of one database, so that a database that does not answer delays no lease of another. A
     * daemon thread, which ends when it is idle.
     */
    private static final class LeaseWorker {
        private static final Logger LOG = LoggerFactory.getLogger(LeaseWorker.class);
        private static final int IDLE_SECONDS = 60;

        private final ScheduledThreadPoolExecutor executor;
        private volatile long blockedUntil;

        LeaseWorker(String database, long now) {
            blockedUntil = now;
            executor = new ScheduledThreadPoolExecutor(1, work -> {
                Thread daemon = new Thread(work, "sharded-id-leases-" + database);
                daemon.setDaemon(true);
                return daemon;
            });
            executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
            executor.allowCoreThreadTimeOut(true);
        }

        /** The database did not answer: tasks of this worker do not try again before the given time. */
        void block(long until) {
            blockedUntil = until;
        }

        boolean isBlocked(long now) {
            return now - blockedUntil < 0;
        }

        void run(Runnable work, long delayNanos) {
            // After the worker has stopped, tasks have no effect.
            if (!executor.isShutdown()) {
                ScheduledFuture<?> unused = executor.schedule(() -> logged(work), delayNanos, TimeUnit.NANOSECONDS);
            }
        }

        private static void logged(Runnable work) {
            try {
                work.run();
            } catch (RuntimeException e) {
                LOG.error("Lease renewal failed; falling back to database ids", e);
            }
        }

        Future<?> runLast(Runnable work) {
            return executor.submit(work);
        }

        void stop() {
            executor.shutdownNow();
        }
    }
}
