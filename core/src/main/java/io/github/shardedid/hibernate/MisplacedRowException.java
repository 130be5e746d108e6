package io.github.shardedid.hibernate;

import io.github.shardedid.ShardedIdException;

/** A row was about to be written to, or was read from, a shard that its id does not name. Roll back the transaction. */
public class MisplacedRowException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the entity, the id, the two shards, and the likely cause
     */
    public MisplacedRowException(String message) {
        super(message);
    }
}
