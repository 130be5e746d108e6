package io.github.shardedid.id;

import io.github.shardedid.ShardedIdException;

/** The epoch of a layout is in the future, so an id generated now would have a negative timestamp. */
public class FutureEpochException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the epoch, the current time, the layout, and what to do
     */
    public FutureEpochException(String message) {
        super(message);
    }
}
