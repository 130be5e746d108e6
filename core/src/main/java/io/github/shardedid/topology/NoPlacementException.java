package io.github.shardedid.topology;

import io.github.shardedid.ShardedIdException;

/** No shard accepts new rows: all shards whose database is known have the weight 0. */
public class NoPlacementException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the weights, the databases, and what to do
     */
    public NoPlacementException(String message) {
        super(message);
    }
}
