package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** Another instance is provisioning a database, and this one is configured not to wait for it. */
public class ProvisioningBusyException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the database, and what to do
     */
    public ProvisioningBusyException(String message) {
        super(message);
    }
}
