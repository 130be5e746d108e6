package io.github.shardedid.routing;

import io.github.shardedid.ShardedIdException;

/**
 * A statement was to go to several shards at once whose results cannot be put together rightly, or that may not go to
 * several: a GROUP BY, a lock, a write.
 */
public class UnmergeableQueryException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message what cannot be merged, the statement, and what to do
     */
    public UnmergeableQueryException(String message) {
        super(message);
    }
}
