package io.github.shardedid;

import org.jspecify.annotations.Nullable;

/**
 * The root of the unchecked exceptions of this project. Each thing that can go wrong has a subclass of its own, whose
 * message names the entity, id, shard and database concerned and says what to do.
 */
public abstract class ShardedIdException extends RuntimeException {
    /**
     * Creates an exception without a cause.
     *
     * @param message what happened and what to do
     */
    protected ShardedIdException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what happened and what to do
     * @param cause what led to it, or null
     */
    protected ShardedIdException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
