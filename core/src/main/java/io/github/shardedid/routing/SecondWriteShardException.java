package io.github.shardedid.routing;

import io.github.shardedid.ShardedIdException;

/**
 * A transaction that writes to one shard was about to write to a second one; the global database counts as one more shard.
 * Nothing of that write was sent.
 */
public class SecondWriteShardException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the two shards, what was to be written, and what to do
     */
    public SecondWriteShardException(String message) {
        super(message);
    }
}
