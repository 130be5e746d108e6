package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.ShardedIdException;
import org.jspecify.annotations.Nullable;

/** A property is missing or has a value that cannot be. Thrown at start-up, before any database is asked. */
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
     * @param cause what told that it is wrong, or null
     */
    public ShardedIdPropertiesException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
