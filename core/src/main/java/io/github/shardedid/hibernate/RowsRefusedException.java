package io.github.shardedid.hibernate;

import io.github.shardedid.ShardedIdException;
import org.jspecify.annotations.Nullable;

/** The rows of one key cannot be counted, exported, erased or restored as {@link KeyRows} was asked to. */
public class RowsRefusedException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the entity, id, shard and database, why, what has been done so far, and what to do
     */
    public RowsRefusedException(String message) {
        this(message, null);
    }

    /**
     * Creates the exception with a cause.
     *
     * @param message the entity, id, shard and database, why, what has been done so far, and what to do
     * @param cause the cause, or null
     */
    public RowsRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
