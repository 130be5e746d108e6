package io.github.shardedid.provisioning.internal.nodes;

import io.github.shardedid.provisioning.JvmNodesChangeUnfinishedException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How long a change waits for others, all in all; says every few seconds what for. */
final class Patience {
    private static final Logger LOG = LoggerFactory.getLogger(Patience.class);
    private static final long POLL_MILLIS = 100;
    private static final long PROGRESS = TimeUnit.SECONDS.toNanos(10);

    private final Duration wait;
    private final long end;

    /** Begins now. Without any patience things are looked at once. */
    Patience(Duration wait) {
        this.wait = wait;
        this.end = System.nanoTime() + wait.toNanos();
    }

    /** A look at what is waited for. */
    @FunctionalInterface
    interface Look {
        /** What is still in the way, in words, or null. */
        @Nullable
        String atHindrance() throws SQLException;
    }

    /**
     * Looks until nothing is in the way.
     *
     * @param database where
     * @throws JvmNodesChangeUnfinishedException if the time is up, or the thread is interrupted
     */
    void until(String database, Look look) throws SQLException {
        long told = System.nanoTime();
        for (String hindrance = look.atHindrance(); hindrance != null; hindrance = look.atHindrance()) {
            long now = System.nanoTime();
            if (now - end >= 0) {
                throw unfinished(database, hindrance, "not within " + wait.toSeconds() + " s");
            }
            if (now - told >= PROGRESS) {
                LOG.info("Database {}: waiting for {}", database, hindrance);
                told = now;
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw unfinished(database, hindrance, "interrupted");
            }
        }
    }

    private static JvmNodesChangeUnfinishedException unfinished(String database, String hindrance, String why) {
        return new JvmNodesChangeUnfinishedException(
                "Database " + database + ": waited for " + hindrance + ", " + why
                        + ". The change of jvm-nodes has begun:"
                        + " ids are made as before, but no JVM gets a lease. Run it again to go on.",
                null);
    }
}
