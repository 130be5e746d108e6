package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** The user of a database lacks a privilege that provisioning needs. Nothing was changed. */
public class MissingPrivilegeException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the database, the privilege, and what to do
     */
    public MissingPrivilegeException(String message) {
        super(message);
    }
}
