package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** A database is reached through a pooler where a session of its own is needed. Nothing was changed. */
public class DirectConnectionRequiredException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the database, and what to configure
     */
    public DirectConnectionRequiredException(String message) {
        super(message);
    }
}
