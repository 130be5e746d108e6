package io.github.shardedid.move;

import io.github.shardedid.ShardedIdException;

/** A move was not begun, or a request about a move was refused. Nothing was changed. */
public class MoveRefusedException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the obstacle, and what to do
     */
    public MoveRefusedException(String message) {
        super(message);
    }
}
