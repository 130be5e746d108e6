package io.github.shardedid.boot.jdbc;

import io.github.shardedid.ShardedIdException;
import org.jspecify.annotations.Nullable;

/** The data source that Hibernate would use for sharded entities does not lead to the sharded databases. */
public class UnshardedDataSourceException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the bean, and what to change
     * @param cause why it cannot be unwrapped, or null
     */
    public UnshardedDataSourceException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
