package io.github.shardedid.routing;

import io.github.shardedid.ShardedIdException;

/** A statement for which no shard is known. It was sent nowhere: there is no default shard. */
public class NoShardException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the statement or the method, and how to name a shard for it
     */
    public NoShardException(String message) {
        super(message);
    }
}
