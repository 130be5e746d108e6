package io.github.shardedid.generator;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.generator.LeaseStore.LeaseAnswer;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.topology.Cluster;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acquires leases in the background, renews them when half of their duration has passed, and releases those of shards that were not
 * used in between. Callers never wait. Safe for use by several threads.
 *
 * <p>Each database has a thread for the leases of its shards, so that a database that does not answer delays no lease of another. At
 * most one task works for a shard at a time: a lease must not be granted again while it is being released.
 */
final class LeaseKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
    private static final long LONGEST_RETRY = TimeUnit.SECONDS.toNanos(30);
    private static final long CLOSING_SECONDS = 10;
    private static final long CLOSING_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int IDLE_SECONDS = 60;

    private final UUID holder = UUID.randomUUID();
    private final Cluster cluster;
    private final LeaseStore store;
    private final JvmIdOptions options;
    private final long aheadSteps;
    private final int lowBits;
    private final long retryNanos;
    private final Map<String, ScheduledThreadPoolExecutor> workers = new ConcurrentHashMap<>();
    private volatile boolean closed;

    LeaseKeeper(RoutingDataSource dataSource, JvmIdOptions options) {
        this.cluster = dataSource.cluster();
        this.store = new LeaseStore(dataSource, stepsOf(options.lease(), cluster.layout()));
        this.options = options;
        this.aheadSteps = stepsOf(options.ahead(), cluster.layout());
        this.lowBits = cluster.layout().shardBits() + cluster.layout().sequenceBits();
        this.retryNanos = Math.min(LONGEST_RETRY, options.lease().toNanos() / 10);
    }

    /** A duration in the layout's unit, rounded up. */
    private static long stepsOf(Duration duration, IdLayout layout) {
        int unit = layout.unit().millis();
        return (duration.toMillis() + unit - 1) / unit;
    }

    /** Requests a lease, unless a request is running or was refused recently. */
    void request(ShardLease shard) {
        if (!closed
                && shard.isDue(System.nanoTime())
                && shard.busy.compareAndSet(false, true)
                && !schedule(shard, () -> acquire(shard), 0)) {
            shard.busy.set(false);
        }
    }

    private void acquire(ShardLease shard) {
        try {
            NodeLease held = shard.lease();
            if (!closed && (held == null || held.hasEnded(System.nanoTime()))) {
                attempt(shard);
            }
        } finally {
            shard.busy.set(false);
        }
    }

    private void renew(ShardLease shard, NodeLease lease) {
        if (closed || lease != shard.lease()) {
            return;
        } else if (!shard.busy.compareAndSet(false, true)) {
            renewLater(shard, lease, retryNanos);
            return;
        }
        try {
            if (!shard.isUsed()) {
                release(shard);
            } else if (!attempt(shard) && shard.lease() == lease) {
                renewLater(shard, lease, retryNanos);
            }
        } finally {
            shard.busy.set(false);
        }
    }

    private void renewLater(ShardLease shard, NodeLease lease, long delay) {
        schedule(shard, () -> renew(shard, lease), delay);
    }

    /** Tries once to acquire or renew the lease. A lease that could not be renewed stays valid until its end. */
    private boolean attempt(ShardLease shard) {
        NodeLease held = shard.lease();
        FallbackReason refused;
        try {
            LeaseAnswer answer = store.lease(shard.shard, holder, held == null ? null : held.node());
            refused = answer.refused();
            if (refused == null) {
                granted(shard, held, answer);
                return true;
            }
        } catch (SQLException | RuntimeException e) {
            LOG.debug("No lease was granted in shard {}", shard.shard, e);
            refused = FallbackReason.DATABASE_UNREACHABLE;
        }
        long now = System.nanoTime();
        shard.refuse(refused, now + retryNanos);
        if (held != null && held.hasEnded(now)) {
            shard.forget();
            options.listener().lost(shard.shard, held.node());
        }
        return false;
    }

    private void granted(ShardLease shard, @Nullable NodeLease held, LeaseAnswer answer) {
        long now = System.nanoTime();
        NodeLease lease = new NodeLease(cluster.layout(), shard.shard, answer, now, aheadSteps);
        boolean renewed = held != null && held.node() == lease.node() && !held.hasEnded(now);
        // Notified first: whoever sees an id of this JVM finds its lease counted.
        if (renewed) {
            options.listener().renewed(shard.shard, lease.node());
        } else {
            if (held != null) {
                options.listener().lost(shard.shard, held.node());
            }
            LOG.debug("Node {} of shard {} is leased", lease.node(), shard.shard);
            options.listener().granted(shard.shard, lease.node());
        }
        shard.grant(lease);
        renewLater(shard, lease, options.lease().toNanos() / 2);
        if (closed) {
            release(shard);
        }
    }

    /** Seals the counters first: a thread that has read the lease must not use it after its release. */
    private void release(ShardLease shard) {
        NodeLease held = shard.lease();
        if (held == null) {
            return;
        }
        long last = shard.seal();
        shard.refuse(FallbackReason.NO_LEASE_YET, System.nanoTime());
        try {
            store.release(shard.shard, holder, (last >>> lowBits) + 1);
            options.listener().released(shard.shard, held.node());
        } catch (SQLException | RuntimeException e) {
            LOG.debug("The lease of shard {} could not be released; it expires by itself", shard.shard, e);
            options.listener().lost(shard.shard, held.node());
        }
    }

    /** Returns false if the source is being closed, so that nothing will be executed. */
    private boolean schedule(ShardLease shard, Runnable work, long delayNanos) {
        try {
            ScheduledFuture<?> unused = workerOf(shard).schedule(() -> logged(work), delayNanos, TimeUnit.NANOSECONDS);
            return true;
        } catch (RejectedExecutionException e) {
            LOG.debug("The source of ids is being closed", e);
            return false;
        }
    }

    private static void logged(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.error("Lease renewal failed; falling back to database ids", e);
        }
    }

    /** The worker of the database that owns a shard. Shards of which no database is known share one, where their requests fail. */
    private ScheduledThreadPoolExecutor workerOf(ShardLease shard) {
        String database;
        try {
            database = cluster.map().get().databaseOf(shard.shard);
        } catch (ShardedIdException e) {
            LOG.debug("The shard map has no database for shard {}", shard.shard, e);
            database = "none";
        }
        return workers.computeIfAbsent(database, LeaseKeeper::worker);
    }

    /** A daemon thread, which ends when it is idle. */
    private static ScheduledThreadPoolExecutor worker(String database) {
        ScheduledThreadPoolExecutor worker = new ScheduledThreadPoolExecutor(1, work -> {
            Thread daemon = new Thread(work, "sharded-id-leases-" + database);
            daemon.setDaemon(true);
            return daemon;
        });
        worker.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        worker.allowCoreThreadTimeOut(true);
        return worker;
    }

    boolean isClosed() {
        return closed;
    }

    /** Releases all leases, waiting 10 seconds at most. Those that could not be released expire by themselves. */
    void close(List<ShardLease> shards) {
        closed = true;
        CountDownLatch released = new CountDownLatch(shards.size());
        shards.forEach(shard -> releaseLast(shard, released, 0));
        try {
            if (!released.await(CLOSING_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("Not all leases of JVM nodes could be released; they expire within minutes");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        workers.values().forEach(ScheduledThreadPoolExecutor::shutdownNow);
    }

    /** Waits for what is done for the shard: after a move, the worker of the database that it has left may be renewing the lease. */
    private void releaseLast(ShardLease shard, CountDownLatch released, long delay) {
        Runnable work = () -> {
            if (!shard.busy.compareAndSet(false, true)) {
                releaseLast(shard, released, CLOSING_PAUSE_NANOS);
                return;
            }
            try {
                release(shard); // the shard stays busy
            } finally {
                released.countDown();
            }
        };
        schedule(shard, work, delay);
    }
}
