package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** A database was provisioned by a newer version of this library. Nothing was changed. */
public class SchemaVersionException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the database, both versions, and what to do
     */
    public SchemaVersionException(String message) {
        super(message);
    }
}
