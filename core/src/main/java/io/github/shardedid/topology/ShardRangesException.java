package io.github.shardedid.topology;

import io.github.shardedid.ShardedIdException;

/** The configured {@code shards:} ranges are malformed, overlap, leave shards out, or name shards that do not exist. */
public class ShardRangesException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the ranges and databases concerned, and the correct form
     */
    public ShardRangesException(String message) {
        super(message);
    }
}
