package io.github.shardedid.hibernate;

/**
 * A row's shard key names another shard than its id, so that queries by the key would miss the row; or a bulk statement would set ids
 * or shard keys, whose values only the database knows. The row or statement was not sent.
 */
public class ShardKeyMismatchException extends ShardKeyException {
    /**
     * Creates the exception.
     *
     * @param message the entity, the attribute and its value, the id, the two shards, and what to do
     */
    public ShardKeyMismatchException(String message) {
        super(message);
    }
}
