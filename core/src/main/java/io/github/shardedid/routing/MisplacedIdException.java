package io.github.shardedid.routing;

import io.github.shardedid.ShardedIdException;

/**
 * A statement was about to write an id of another shard than the one it goes to, and nothing was sent; or a column default has
 * generated such an id: then roll back the transaction.
 */
public class MisplacedIdException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the column, the id, the two shards, and what to do
     */
    public MisplacedIdException(String message) {
        super(message);
    }
}
