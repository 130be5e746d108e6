package io.github.shardedid.generator;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background thread for the leases of one database, so that a database that does not answer holds up no lease of
 * another. A daemon, which ends while there is nothing to do.
 */
final class LeaseLane {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseLane.class);
    private static final int IDLE_SECONDS = 60;

    private final ScheduledThreadPoolExecutor thread;
    private volatile long blockedUntil;

    LeaseLane(String database, long now) {
        blockedUntil = now;
        thread = new ScheduledThreadPoolExecutor(1, work -> {
            Thread daemon = new Thread(work, "sharded-id-leases-" + database);
            daemon.setDaemon(true);
            return daemon;
        });
        thread.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
    }

    /** The database did not answer: what waits in this lane need not try before. */
    void block(long until) {
        blockedUntil = until;
    }

    boolean isBlocked(long now) {
        return now - blockedUntil < 0;
    }

    void run(Runnable work, long delayNanos) {
        // What is put in after the lane was closed has no effect any more.
        if (!thread.isShutdown()) {
            ScheduledFuture<?> unused = thread.schedule(() -> logged(work), delayNanos, TimeUnit.NANOSECONDS);
        }
    }

    private static void logged(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.error("A lease of a JVM node was not looked after; the database makes the ids of its shard", e);
        }
    }

    Future<?> runLast(Runnable work) {
        return thread.submit(work);
    }

    void stop() {
        thread.shutdownNow();
    }
}
