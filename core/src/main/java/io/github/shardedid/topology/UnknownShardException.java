package io.github.shardedid.topology;

import io.github.shardedid.ShardedIdException;

/**
 * The cluster has no shard of that number. Nothing was sent to a database. A retry fails as well: find out whether the id comes from another
 * cluster, or is no id. A client that has sent it should get status 404. At the start: the layout has too few bits for the shards.
 */
public class UnknownShardException extends ShardedIdException {
    /** The shard field of an id has at most 20 bits. */
    private static final int MOST_SHARDS = 1 << 20;

    /**
     * Throws an exception if no cluster can have a shard of that number.
     *
     * @param shard any number
     * @return the same number, 0 to 1,048,575
     * @throws UnknownShardException if it is out of that range
     */
    public static int requirePossible(int shard) {
        if (shard < 0 || shard >= MOST_SHARDS) {
            throw new UnknownShardException("No cluster has a shard " + shard + ": shards are numbered from 0 to "
                    + (MOST_SHARDS - 1) + ". Nothing was sent to a database.");
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
