package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** A database owns a shard as {@code ACTIVE}, but the shard's schema is not there. It is never created anew, because that would look like a shard without rows. */
public class MissingShardSchemaException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the database, the shards, and what to do
     */
    public MissingShardSchemaException(String message) {
        super(message);
    }
}
