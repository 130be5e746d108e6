package io.github.shardedid.hibernate;

import io.github.shardedid.ShardedIdException;

/** The value of a shard key does not determine the shard of a new row or of a query. Nothing was sent. */
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
