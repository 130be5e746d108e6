package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** The global entities live elsewhere than configured. Nothing was changed. */
public class DifferentGlobalException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message where they live, where they were looked for, and what to do
     */
    public DifferentGlobalException(String message) {
        super(message);
    }
}
