package io.github.shardedid.move;

import io.github.shardedid.ShardedIdException;

/**
 * The copy of a shard differs from the shard. The source keeps the shard; the move can be aborted, or resumed once
 * the cause is removed.
 */
public class MoveMismatchException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the shard, the tables and keys that differ, and what to do
     */
    public MoveMismatchException(String message) {
        super(message);
    }
}
