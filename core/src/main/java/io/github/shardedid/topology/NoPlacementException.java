package io.github.shardedid.topology;

import io.github.shardedid.ShardedIdException;

/** No shard may take a new row: the placement gives none of those whose home is known a weight. */
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
