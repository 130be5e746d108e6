package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** A server is older than PostgreSQL 15, or a newer version of this library has provisioned the database. Nothing was changed. */
public class UnsupportedVersionException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the database, the versions, and what to do
     */
    public UnsupportedVersionException(String message) {
        super(message);
    }
}
