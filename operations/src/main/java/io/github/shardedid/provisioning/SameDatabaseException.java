package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** Two configured names lead to one and the same database. Nothing was changed. */
public class SameDatabaseException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message both names, and what to do
     */
    public SameDatabaseException(String message) {
        super(message);
    }
}
