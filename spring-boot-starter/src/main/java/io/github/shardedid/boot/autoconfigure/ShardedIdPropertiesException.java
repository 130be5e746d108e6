package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.ShardedIdException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when the application cannot start with its configuration: a property is missing, unknown or invalid, or a bean does not lead
 * to the shards. Nothing has been written to a database.
 */
public class ShardedIdPropertiesException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the property by its full name, what is wrong with it, and what to write instead
     */
    public ShardedIdPropertiesException(String message) {
        this(message, null);
    }

    /**
     * Creates the exception with a cause.
     *
     * @param message the property by its full name, what is wrong with it, and what to write instead
     * @param cause the failure to convert or validate it, or null
     */
    public ShardedIdPropertiesException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
