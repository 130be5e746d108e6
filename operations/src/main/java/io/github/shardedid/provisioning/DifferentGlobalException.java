package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** The global entities are in another database or schema than configured. Nothing was changed. */
public class DifferentGlobalException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message where they are, what is configured, and what to do
     */
    public DifferentGlobalException(String message) {
        super(message);
    }
}
