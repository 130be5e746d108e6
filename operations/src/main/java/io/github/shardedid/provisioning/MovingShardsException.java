package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/**
 * Migrations are missing in shards that are being moved, whose structure must not change. All other shards have been
 * migrated.
 */
public class MovingShardsException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the shards and databases, and what to do
     */
    public MovingShardsException(String message) {
        super(message);
    }
}
