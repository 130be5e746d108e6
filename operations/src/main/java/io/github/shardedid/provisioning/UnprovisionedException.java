package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** A part of the cluster is not provisioned, and only a check was requested. Nothing was changed. */
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
