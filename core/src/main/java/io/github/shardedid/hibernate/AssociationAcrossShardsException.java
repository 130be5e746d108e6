package io.github.shardedid.hibernate;

import io.github.shardedid.ShardedIdException;

/** An entity refers to an entity of another shard, which no foreign key and no join can reach. Nothing was sent. */
public class AssociationAcrossShardsException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the attribute, the two ids and their shards, and what to do
     */
    public AssociationAcrossShardsException(String message) {
        super(message);
    }
}
