package io.github.shardedid.hibernate;

import io.github.shardedid.ShardedIdException;

/**
 * The value of a shard key does not determine the shard of a new row or of a query, or names another shard than the row's, so that
 * queries by the key would miss the row. Nothing was sent.
 */
public class ShardKeyException extends ShardedIdException {
    private static final long serialVersionUID = 1L;

    private final boolean mismatch;

    /**
     * Creates the exception.
     *
     * @param message the entity and attribute, the value, and what to do
     */
    public ShardKeyException(String message) {
        this(message, false);
    }

    private ShardKeyException(String message, boolean mismatch) {
        super(message);
        this.mismatch = mismatch;
    }

    /**
     * Creates the exception for a shard key that names another shard than the row's, or may do so because only the database knows it.
     *
     * @param message the entity, the attribute and its value, the id, the two shards, and what to do
     * @return the exception
     */
    public static ShardKeyException mismatch(String message) {
        return new ShardKeyException(message, true);
    }

    /** Returns whether the shard key names another shard than the row's, or may do so; false if it names none. */
    public boolean isMismatch() {
        return mismatch;
    }
}
