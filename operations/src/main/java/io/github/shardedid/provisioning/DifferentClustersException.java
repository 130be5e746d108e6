package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** The configured databases belong to more than one cluster. Nothing was changed. */
public class DifferentClustersException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the databases with their clusters, and what to do
     */
    public DifferentClustersException(String message) {
        super(message);
    }
}
