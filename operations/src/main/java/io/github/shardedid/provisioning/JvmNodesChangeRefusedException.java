package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** The number of JVM nodes cannot be changed now, or something must wait until it has been. Nothing was changed. */
public class JvmNodesChangeRefusedException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the database, what stands in the way, and what to do
     */
    public JvmNodesChangeRefusedException(String message) {
        super(message);
    }
}
