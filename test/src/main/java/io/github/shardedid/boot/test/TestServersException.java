package io.github.shardedid.boot.test;

import io.github.shardedid.ShardedIdException;
import org.jspecify.annotations.Nullable;

/** No servers can be had for the cluster of a test: nothing that could run them is there, or they did not start. */
public class TestServersException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message what is missing, and what to add
     * @param cause what the server said, or null
     */
    public TestServersException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
