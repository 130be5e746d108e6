package io.github.shardedid.id;

import io.github.shardedid.ShardedIdException;

/**
 * The instant is outside the time that the layout can represent without the sign bit. No ids are generated beyond that
 * time, because they would be negative and out of order.
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
     * @param cause the exception of the database
     */
    public EpochExhaustedException(String message, Throwable cause) {
        super(message, cause);
    }
}
