package io.github.shardedid.routing;

import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * How queries over several shards are sent. Immutable.
 *
 * @param shardsPerStatement how many shards of a database one statement asks, 1 to 250
 * @param connectionsPerDatabase how many connections one query takes from each database's pool at most, 1 or more; where the
 *     pool gives fewer, the query goes on with those
 * @param concurrentQueries how many such queries run at once, 1 or more; a further one waits
 * @param longestWait how long it waits at most until it fails
 * @param maxRows how many rows a query may return, 1 or more; beyond it fails, since the rows are held in memory
 * @param maxPageRows how many rows of each shard a page with an OFFSET may need, 1 or more: the rows before the page, and the
 *     page. {@code maxRows} limits them, too
 * @param executor runs the work on all databases but the last, which the caller's thread asks; virtual threads do. What
 *     it has not begun when the caller's thread is done, that thread does, too. Null: daemon threads that end when idle
 */
public record ScatterOptions(
        int shardsPerStatement,
        int connectionsPerDatabase,
        int concurrentQueries,
        Duration longestWait,
        int maxRows,
        int maxPageRows,
        @Nullable Executor executor) {
    /** 50 shards per statement, 1 connection per database, 8 queries at once, 5 seconds, 100,000 rows, 10,000 for a page, own threads. */
    public static final ScatterOptions DEFAULT =
            new ScatterOptions(50, 1, 8, Duration.ofSeconds(5), 100_000, 10_000, null);

    private static final int MOST_SHARDS = 250;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one of them is out of its range
     */
    public ScatterOptions {
        requireWithin("shards per statement", shardsPerStatement, MOST_SHARDS);
        requireWithin("connections per database", connectionsPerDatabase, Integer.MAX_VALUE);
        requireWithin("concurrent queries", concurrentQueries, Integer.MAX_VALUE);
        requireWithin("rows", maxRows, Integer.MAX_VALUE - 1);
        requireWithin("rows of a page", maxPageRows, Integer.MAX_VALUE - 1);
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
