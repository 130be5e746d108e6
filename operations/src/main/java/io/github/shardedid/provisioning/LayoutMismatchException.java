package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** What a database stores of layout, epoch, shards or JVM nodes is not what is configured. Nothing was changed. */
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
