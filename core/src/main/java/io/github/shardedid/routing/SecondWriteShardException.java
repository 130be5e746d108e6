package io.github.shardedid.routing;

import io.github.shardedid.ShardedIdException;

/**
 * A transaction that writes to one shard was about to write to a second one; the global database counts as one more shard.
 * Nothing of that write was sent, unless a statement that looks like a read hid it, such as a select of a function that
 * inserts: then it turned out at commit, and everything was rolled back, on all databases. A retry fails as well: use one transaction for
 * each shard, or a shard key that stores the rows in one.
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
