package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/**
 * A new cluster needs all its databases, and so does a change of the number of JVM nodes, and some could not be reached.
 * Nothing was changed.
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
