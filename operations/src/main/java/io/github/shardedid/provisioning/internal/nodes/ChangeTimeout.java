package io.github.shardedid.provisioning.internal.nodes;

import io.github.shardedid.operations.internal.RetryPolicy;
import io.github.shardedid.provisioning.nodes.JvmNodesChangeUnfinishedException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The time that a change may wait for other sessions, in all its steps together. Logs every few seconds what it waits for. */
final class ChangeTimeout {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeTimeout.class);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final long PROGRESS = TimeUnit.SECONDS.toNanos(10);

    private final Duration wait;
    private final long end;

    /** Starts the time. If it is zero, each obstacle is checked once. */
    ChangeTimeout(Duration wait) {
        this.wait = wait;
        this.end = System.nanoTime() + wait.toNanos();
    }

    /**
     * Waits until there is no obstacle.
     *
     * @param database for messages
     * @throws JvmNodesChangeUnfinishedException after the timeout, or if the thread is interrupted
     */
    void await(String database, RetryPolicy.Check check) throws SQLException {
        AtomicLong reported = new AtomicLong(System.nanoTime());
        Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
        try {
            String obstacle = RetryPolicy.every(POLL, left).await(() -> {
                String now = check.obstacle();
                if (now != null && System.nanoTime() - reported.get() >= PROGRESS) {
                    LOG.info("Database {}: waiting for {}", database, now);
                    reported.set(System.nanoTime());
                }
                return now;
            });
            if (obstacle != null) {
                throw unfinished(database, obstacle, "not within " + wait.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unfinished(database, "other sessions", "interrupted");
        }
    }

    private static JvmNodesChangeUnfinishedException unfinished(String database, String obstacle, String why) {
        return new JvmNodesChangeUnfinishedException(
                "Database " + database + ": waited for " + obstacle + ", " + why
                        + ". The change of jvm-nodes has begun: ids are generated as before, but no JVM gets a lease. Run it"
                        + " again to continue.",
                null);
    }
}
