package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/**
 * A configured name leads to the wrong database: one of another cluster, one that was provisioned under another name, or one that
 * another name leads to as well. Nothing was changed.
 */
public class WrongDatabaseException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the names, what is in the databases, and what to do
     */
    public WrongDatabaseException(String message) {
        super(message);
    }
}
