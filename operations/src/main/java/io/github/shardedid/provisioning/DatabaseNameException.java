package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** A database was provisioned under another name than the one it is configured under. Nothing was changed. */
public class DatabaseNameException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message both names, and what to do
     */
    public DatabaseNameException(String message) {
        super(message);
    }
}
