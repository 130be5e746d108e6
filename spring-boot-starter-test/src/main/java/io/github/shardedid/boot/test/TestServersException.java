package io.github.shardedid.boot.test;

import io.github.shardedid.ShardedIdException;
import org.jspecify.annotations.Nullable;

/** The servers of a test cluster are not available: a dependency is missing, or they did not start. */
public class TestServersException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message what is missing, and what to add
     * @param cause the cause, or null
     */
    public TestServersException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
