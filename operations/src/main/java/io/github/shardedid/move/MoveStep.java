package io.github.shardedid.move;

/**
 * The steps of a move, in their order. Each is written to the journal before it is taken, and may be taken again: a move that
 * was interrupted goes on with the step that its journal names.
 */
public enum MoveStep {
    /** The target makes an empty schema with the application's migrations. */
    PREPARE,
    /** The publication and its slots at the source, the subscription at the target. */
    PUBLISH,
    /** PostgreSQL copies the rows. */
    COPY,
    /** The target makes the indexes that copying is faster without. */
    INDEX,
    /** What was written meanwhile is caught up with, and both copies are compared. */
    CATCH_UP,
    /** The source is fenced: nobody reads or writes the shard until the switch. */
    FENCE,
    /** The shard is fenced at the source; what is still under way arrives, and sequences and leases are carried over. */
    CARRY_OVER,
    /** The target takes the shard over. From its commit on there is no way back but another move. */
    SWITCH,
    /** The target owns the shard; publication, slots, subscription and markers are removed. */
    CLEAN_UP,
    /** Ended: the target owns the shard. */
    DONE,
    /** What was made for the move is being removed; the source keeps the shard. */
    ABORTING,
    /** Ended: the source owns the shard. */
    ABORTED;

    /**
     * Whether a move has come to its end.
     *
     * @return true for {@link #DONE} and {@link #ABORTED}
     */
    public boolean ended() {
        return this == DONE || this == ABORTED;
    }
}
