package io.github.shardedid.hibernate;

import io.github.shardedid.ShardedIdException;

/** A query or an entity graph would join a row of another shard through a {@link ForeignShard} association. Nothing was sent. */
public class ForeignShardException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the association, why it cannot be joined, and what to do
     */
    public ForeignShardException(String message) {
        super(message);
    }

    /**
     * Creates the exception.
     *
     * @param message the association, why it cannot be joined, and what to do
     * @param cause what Hibernate says of the query
     */
    public ForeignShardException(String message, Throwable cause) {
        super(message, cause);
    }
}
