package io.github.shardedid.topology;

import io.github.shardedid.ShardedIdException;

/** A shard number that this cluster does not have. Nothing was sent to any database. */
public class UnknownShardException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the shard, where it came from, and the cluster's range of shards
     */
    public UnknownShardException(String message) {
        super(message);
    }

    static UnknownShardException of(long shard, int shardCount) {
        return new UnknownShardException("This cluster has no shard " + shard + ": its " + shardCount
                + " shards are numbered 0 to " + (shardCount - 1) + ". Nothing was sent to a database.");
    }
}
