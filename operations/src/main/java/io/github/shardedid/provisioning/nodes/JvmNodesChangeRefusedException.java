package io.github.shardedid.provisioning.nodes;

import io.github.shardedid.ShardedIdException;

/**
 * The number of JVM nodes cannot be changed now, or something must wait for the end of a change. Nothing was changed.
 */
public class JvmNodesChangeRefusedException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the database, the obstacle, and what to do
     */
    public JvmNodesChangeRefusedException(String message) {
        super(message);
    }
}
