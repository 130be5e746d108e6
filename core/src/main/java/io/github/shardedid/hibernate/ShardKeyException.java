package io.github.shardedid.hibernate;

import io.github.shardedid.ShardedIdException;

/** The shard of a new row, or of a query, cannot be told from the value of its shard key. Nothing was sent. */
public class ShardKeyException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the entity and attribute, the value, and what to do
     */
    public ShardKeyException(String message) {
        super(message);
    }
}
