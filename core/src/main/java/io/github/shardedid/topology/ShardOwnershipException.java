package io.github.shardedid.topology;

import io.github.shardedid.ShardedIdException;

/** What the databases say they own does not make a map: a shard with two owners, with none, or outside the cluster. */
public class ShardOwnershipException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the shards and databases concerned, and what to do
     */
    public ShardOwnershipException(String message) {
        super(message);
    }

    static ShardOwnershipException ownedTwice(ShardOwnership one, ShardOwnership other) {
        return new ShardOwnershipException("Shard " + one.shard() + " is owned twice, by " + one.database() + " and by "
                + other.database() + ", both in generation " + one.generation()
                + ". Is one a copy of the other? Correct sharded_id.shard in the database that should not own it.");
    }

    static ShardOwnershipException unowned(int[] shards, int shardCount) {
        return new ShardOwnershipException("No database owns " + ShardRanges.of(shards) + " (" + shards.length
                + " of the cluster's " + shardCount
                + " shards), although every one was asked. Was a database replaced by an empty one, or taken out of the"
                + " configuration? Restore or configure it; nothing was changed. Asked: sharded_id.shard of each.");
    }

    static ShardOwnershipException outside(ShardOwnership claim, int shardCount) {
        return new ShardOwnershipException("Database " + claim.database() + " owns shard " + claim.shard()
                + ", but the cluster has " + shardCount + " shards, 0 to " + (shardCount - 1)
                + ". The number of shards is fixed for a cluster's life: is the configured one right, and is the database one of"
                + " this cluster's?");
    }
}
