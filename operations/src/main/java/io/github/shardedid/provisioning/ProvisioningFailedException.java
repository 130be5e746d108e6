package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** A database refused a statement of the provisioner. */
public class ProvisioningFailedException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the database, what was being done, and what to do
     * @param cause what the database or Flyway said
     */
    public ProvisioningFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
