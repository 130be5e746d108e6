package io.github.shardedid.hibernate;

/** A new row has no shard, since its shard key has no value. Nothing was sent. */
public class MissingShardKeyException extends ShardKeyException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message the entity and attribute, and what to do
     */
    public MissingShardKeyException(String message) {
        super(message);
    }
}
