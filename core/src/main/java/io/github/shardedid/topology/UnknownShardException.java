package io.github.shardedid.topology;

import io.github.shardedid.ShardedIdException;

/** A shard number that this cluster does not have. Nothing was sent to any database. */
public class UnknownShardException extends ShardedIdException {
    /** The shard field of an id has 20 bits at most. */
    private static final int MOST_SHARDS = 1 << 20;

    /**
     * Refuses numbers that no cluster can have for a shard; which of the others there are, only a cluster knows.
     *
     * @param shard any number
     * @return the same number, 0 to 1,048,575
     * @throws UnknownShardException if it is out of that range
     */
    public static int requirePossible(int shard) {
        if (shard < 0 || shard >= MOST_SHARDS) {
            throw new UnknownShardException("No cluster has a shard " + shard + ": shards are numbered 0 to "
                    + (MOST_SHARDS - 1) + " at most. Nothing was sent to a database.");
        }
        return shard;
    }

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
