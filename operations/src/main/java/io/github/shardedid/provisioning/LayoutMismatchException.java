package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/**
 * A database stores another layout, epoch, number of shards or number of JVM nodes than configured. Nothing was
 * changed.
 */
public class LayoutMismatchException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the database, each value that differs as stored and as configured, and what to do
     */
    public LayoutMismatchException(String message) {
        super(message);
    }
}
