package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/**
 * Databases could not be reached that are needed: all of them for a new cluster and for a repair of histories, at least one otherwise. Nothing was changed, except that a repair has repaired the other databases.
 */
public class DatabasesUnreachableException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the databases with the reasons, and what to do
     */
    public DatabasesUnreachableException(String message) {
        super(message);
    }
}
