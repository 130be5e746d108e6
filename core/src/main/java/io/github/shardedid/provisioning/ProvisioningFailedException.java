package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;
import org.jspecify.annotations.Nullable;

/** A database that could be reached refused a statement of the provisioner. */
public class ProvisioningFailedException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the database, what was being done, and what to do
     * @param cause what the database or Flyway said, or null
     */
    public ProvisioningFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
