package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** A schema or a role that provisioning needs, and does not create, does not exist in a database. Nothing was changed. */
public class MissingObjectException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the database, the schema or the roles, and what to do
     */
    public MissingObjectException(String message) {
        super(message);
    }
}
