package io.github.shardedid.topology;

import io.github.shardedid.ShardedIdException;

/**
 * None of the databases reached so far owns the shard, or says how many shards there are. A retry succeeds once its database has been reached:
 * start it. A shard that only a restored backup has stays refused, as the message says.
 */
public class UnownedShardException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the shard, the databases that could not be reached, and what to do
     */
    public UnownedShardException(String message) {
        super(message);
    }
}
