package io.github.shardedid.topology;

import io.github.shardedid.ShardedIdException;

/** The ownership of shards is inconsistent: a shard has two owners or none, or is not part of the cluster. */
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
                + ". Check whether one is a copy of the other, and correct sharded_id.shard in the database that should not"
                + " own the shard.");
    }

    static ShardOwnershipException unowned(int[] shards, int shardCount) {
        return new ShardOwnershipException("No database owns " + ShardRanges.of(shards) + " (" + shards.length
                + " of the cluster's " + shardCount
                + " shards), although all databases were queried (sharded_id.shard). Check whether a database was replaced by"
                + " an empty one, or removed from the configuration. Restore or configure it. Nothing was changed.");
    }

    static ShardOwnershipException outside(ShardOwnership claim, int shardCount) {
        return new ShardOwnershipException("Database " + claim.database() + " owns shard " + claim.shard()
                + ", but the cluster has " + shardCount + " shards, 0 to " + (shardCount - 1)
                + ". Check whether the configured number is right, and whether the database belongs to this cluster.");
    }
}
