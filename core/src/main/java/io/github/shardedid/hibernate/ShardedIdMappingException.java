package io.github.shardedid.hibernate;

import io.github.shardedid.ShardedIdException;

/** A mapping does not work with shards. Thrown at start-up; the message names the class and the attribute. */
public class ShardedIdMappingException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the entity and attribute, what is wrong with it, and what to write instead
     */
    public ShardedIdMappingException(String message) {
        super(message);
    }
}
