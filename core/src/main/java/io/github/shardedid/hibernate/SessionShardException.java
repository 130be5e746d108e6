package io.github.shardedid.hibernate;

import io.github.shardedid.ShardedIdException;

/**
 * A session was asked for a row of another shard than it may have: of an entity whose id is unique only within a shard, a session has
 * rows of one shard, because Hibernate would take two rows with the same id for one. Or the row is known to be in another shard than
 * the scope. The row was not read or written.
 */
public class SessionShardException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the entity, the two shards, and what to do
     */
    public SessionShardException(String message) {
        super(message);
    }
}
