package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/**
 * The application's migrations cannot be read, or one of them failed in a shard. What succeeded before stays; after a
 * repair, provisioning continues from there.
 */
public class ShardMigrationException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the database, shard and script, and what to do
     * @param cause what the database or Flyway said
     */
    public ShardMigrationException(String message, Throwable cause) {
        super(message, cause);
    }
}
