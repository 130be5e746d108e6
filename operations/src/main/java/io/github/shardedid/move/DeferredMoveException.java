package io.github.shardedid.move;

/**
 * A move was not begun for a reason that passes without a change: another session works on the shard, migrations or provisioning run,
 * slots or workers of a server are in use by others for a while, or a database cannot be reached. Nothing was changed. The same call may
 * succeed later.
 */
public class DeferredMoveException extends MoveRefusedException {
    /**
     * Creates the exception.
     *
     * @param message the reason, and what to wait for
     */
    public DeferredMoveException(String message) {
        super(message);
    }
}
