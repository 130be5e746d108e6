package io.github.shardedid.generator;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background thread for the leases of one database, so that a database that does not answer delays no lease of another. A
 * daemon thread, which ends when it is idle.
 */
final class LeaseWorker {
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
