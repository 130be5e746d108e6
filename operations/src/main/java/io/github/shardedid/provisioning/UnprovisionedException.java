package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** Something of the cluster is still to be created, and only a check was asked for. Nothing was changed. */
public class UnprovisionedException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the databases concerned, what is missing, and what to do
     */
    public UnprovisionedException(String message) {
        super(message);
    }
}
