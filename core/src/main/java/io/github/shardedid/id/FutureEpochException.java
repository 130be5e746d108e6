package io.github.shardedid.id;

import io.github.shardedid.ShardedIdException;

/** The epoch of a layout lies in the future, so that an id of the present would have a negative timestamp. */
public class FutureEpochException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the epoch, the present, the layout, and what to do
     */
    public FutureEpochException(String message) {
        super(message);
    }
}
