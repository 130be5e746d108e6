package io.github.shardedid.hibernate;

/**
 * A row's shard key says another shard than its id, so that queries by the key would look for the row where it is not; or
 * a bulk statement would set ids or shard keys, whose values only the database sees. Nothing of it was sent.
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
