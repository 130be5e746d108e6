package io.github.shardedid.pool;

import javax.sql.DataSource;

/**
 * A part of a pool. Safe for use by several threads if its source is.
 *
 * @param source a pool of its own. Closed with the partitioned one if it can be closed
 * @param connections how many it can lend at the same time; at least 1
 */
public record PoolPart(DataSource source, int connections) {
    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if there would be no connection
     */
    public PoolPart {
        if (connections < 1) {
            throw new IllegalArgumentException("A part of a pool cannot have " + connections + " connections.");
        }
    }
}
