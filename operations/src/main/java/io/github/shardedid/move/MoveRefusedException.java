package io.github.shardedid.move;

import io.github.shardedid.ShardedIdException;

/** A move was not begun, or a request about a move was refused. Nothing was changed. */
public class MoveRefusedException extends ShardedIdException {
    private final Reason reason;

    /** What has to happen before the same call can succeed. */
    public enum Reason {
        /** Something has to be changed first. */
        OBSTACLE,
        /**
         * A reason that passes without a change: another session works on the shard, migrations or provisioning run, slots of a server are in
         * use by others for a while, or a database cannot be reached.
         */
        DEFERRED,
        /**
         * The shard has scripts that are not known to this process: the target's schema would lack what they have made. An instance of the
         * application that knows them can move it.
         */
        UNKNOWN_SCRIPTS
    }

    /**
     * Creates the exception for an obstacle.
     *
     * @param message the obstacle, and what to do
     */
    public MoveRefusedException(String message) {
        this(Reason.OBSTACLE, message);
    }

    /**
     * Creates the exception.
     *
     * @param reason what has to happen first
     * @param message the shard, the database, the reason, and what to do
     */
    public MoveRefusedException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** Returns what has to happen before the same call can succeed. */
    public Reason reason() {
        return reason;
    }

    /** Returns whether the same call may succeed later, without a change. */
    public boolean isDeferred() {
        return reason != Reason.OBSTACLE;
    }
}
