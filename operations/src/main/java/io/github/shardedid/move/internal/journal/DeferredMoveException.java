package io.github.shardedid.move.internal.journal;

import io.github.shardedid.move.MoveRefusedException;

/** A move was not begun for a reason that passes without a change: another session is at work, or a connection was lost. */
public final class DeferredMoveException extends MoveRefusedException {
    public DeferredMoveException(String message) {
        super(message);
    }
}
