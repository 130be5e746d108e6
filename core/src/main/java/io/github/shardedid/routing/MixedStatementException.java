package io.github.shardedid.routing;

import io.github.shardedid.ShardedIdException;

/**
 * A statement that names tables of a shard and of the global database, such as a join of the two. It was sent nowhere: they
 * may be on different servers, and a shard may move.
 */
public class MixedStatementException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the statement, and what to do instead
     */
    public MixedStatementException(String message) {
        super(message);
    }
}
