package io.github.shardedid.id;

import io.github.shardedid.ShardedIdException;

/**
 * The instant lies outside the time that the layout can express without touching the sign bit. Ids are never handed out
 * beyond that time, because they would be negative and break the order.
 */
public class EpochExhaustedException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the instant, the layout's first and last instant, and what to do
     */
    public EpochExhaustedException(String message) {
        super(message);
    }

    /**
     * Creates the exception with its cause.
     *
     * @param message the instant, the layout's first and last instant, and what to do
     * @param cause what the database said
     */
    public EpochExhaustedException(String message, Throwable cause) {
        super(message, cause);
    }
}
