package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** A role that provisioning is to grant something does not exist. Nothing was changed. */
public class MissingRoleException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the database, the roles, and what to do
     */
    public MissingRoleException(String message) {
        super(message);
    }
}
