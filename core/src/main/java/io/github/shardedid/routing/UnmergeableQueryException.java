package io.github.shardedid.routing;

import io.github.shardedid.ShardedIdException;

/**
 * A statement for several shards was refused because the results of shards cannot be merged correctly, or because it must not go to
 * several: a HAVING, a lock, a write.
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
