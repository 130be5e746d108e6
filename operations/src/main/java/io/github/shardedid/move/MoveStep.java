package io.github.shardedid.move;

/**
 * The steps of a move, in their order. Each is recorded in the journal before it is taken, and may be taken again: an
 * interrupted move continues with the recorded step or an earlier one. Its name is what the journal has, so that an instance without a new
 * step cannot read it, and steps are compared by their order.
 */
public enum MoveStep {
    /** The target creates an empty schema by the application's migrations. */
    PREPARE,
    /** The publication and its slots are created at the source, the subscription at the target. */
    PUBLISH,
    /** PostgreSQL copies the rows. */
    COPY,
    /** The writes made since are applied, and both copies are compared. */
    CATCH_UP,
    /** The source is being fenced: the shard cannot be read or written from then on until the switch. */
    FENCE,
    /** The shard is fenced at the source; the last writes arrive, and sequences and leases are carried over. */
    CARRY_OVER,
    /** The target takes the shard over. After its commit, only another move brings the shard back. */
    SWITCH,
    /** The target owns the shard; publication, slots, subscription and markers are removed. */
    CLEAN_UP,
    /** Ended: the target owns the shard. */
    DONE,
    /** What was created for the move is being removed; the source keeps the shard. */
    ABORTING,
    /** Ended: the source owns the shard. */
    ABORTED;

    /**
     * Returns whether a move has ended.
     *
     * @return true for {@link #DONE} and {@link #ABORTED}
     */
    public boolean ended() {
        return this == DONE || this == ABORTED;
    }
}
