package io.github.shardedid.operations.internal;

import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The timeout and the pauses of attempts that are repeated. Immutable.
 *
 * @param pause after the first attempt; each further one is twice as long
 * @param longestPause to which the pauses grow
 * @param timeout after which no further attempt follows; the first one is always made
 */
public record RetryPolicy(Duration pause, Duration longestPause, Duration timeout) {
    /** An attempt that may be repeated. */
    @FunctionalInterface
    public interface Attempt<T> {
        /** Returns null if it is to be tried again. */
        @Nullable
        T run() throws SQLException;
    }

    /** Returns a policy of equal pauses until the timeout. */
    public static RetryPolicy every(Duration pause, Duration timeout) {
        return new RetryPolicy(pause, pause, timeout);
    }

    /**
     * Tries until there is a result.
     *
     * @return the result, or null if the timeout has passed
     * @throws InterruptedException if the thread is interrupted in a pause
     */
    public <T> @Nullable T run(Attempt<T> attempt) throws SQLException, InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        Duration next = pause;
        while (true) {
            T result = attempt.run();
            if (result != null || System.nanoTime() - end >= 0) {
                return result;
            }
            Thread.sleep(next.toMillis());
            Duration twice = next.multipliedBy(2);
            next = twice.compareTo(longestPause) > 0 ? longestPause : twice;
        }
    }
}
