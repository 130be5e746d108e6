package io.github.shardedid.move;

import io.github.shardedid.ShardedIdException;

/** A move was not begun, or a request about a move not followed; nothing was changed. */
public class MoveRefusedException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message what is in the way and what to do
     */
    public MoveRefusedException(String message) {
        super(message);
    }
}
