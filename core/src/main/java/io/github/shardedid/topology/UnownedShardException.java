package io.github.shardedid.topology;

import io.github.shardedid.ShardedIdException;

/** A shard of this cluster that none of the databases reached so far says it owns. */
public class UnownedShardException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the shard, the databases that could not be asked, and what to do
     */
    public UnownedShardException(String message) {
        super(message);
    }
}
