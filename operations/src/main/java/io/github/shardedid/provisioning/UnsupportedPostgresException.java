package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** A database server is older than PostgreSQL 13. Nothing was changed. */
public class UnsupportedPostgresException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the database, its version, and what to do
     */
    public UnsupportedPostgresException(String message) {
        super(message);
    }
}
