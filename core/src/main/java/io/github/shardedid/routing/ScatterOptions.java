package io.github.shardedid.routing;

import java.time.Duration;

/**
 * How queries over several shards are sent. Immutable.
 *
 * @param shardsPerStatement how many shards of a database one statement asks, 1 to 250
 * @param concurrentQueries how many such queries run at once, 1 or more; a further one waits
 * @param longestWait how long it waits at most until it fails
 * @param maxRows how many rows a query may return, 1 or more; beyond it fails, since the rows are held in memory
 */
public record ScatterOptions(int shardsPerStatement, int concurrentQueries, Duration longestWait, int maxRows) {
    /** 50 shards per statement, 8 queries at once, 5 seconds, 100,000 rows. */
    public static final ScatterOptions DEFAULT = new ScatterOptions(50, 8, Duration.ofSeconds(5), 100_000);

    private static final int MOST_SHARDS = 250;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one of them is out of its range
     */
    public ScatterOptions {
        requireWithin("shards per statement", shardsPerStatement, MOST_SHARDS);
        requireWithin("concurrent queries", concurrentQueries, Integer.MAX_VALUE);
        requireWithin("rows", maxRows, Integer.MAX_VALUE - 1);
        if (longestWait.isNegative()) {
            throw new IllegalArgumentException("The longest wait is not negative: " + longestWait + ".");
        }
    }

    private static void requireWithin(String what, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(
                    "Queries over several shards need 1 to " + most + " " + what + ", not " + value + ".");
        }
    }
}
