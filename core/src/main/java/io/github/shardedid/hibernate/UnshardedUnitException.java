package io.github.shardedid.hibernate;

/** A persistence unit has entities with {@link ShardedId}, but its data source does not lead to the sharded databases. */
public class UnshardedUnitException extends ShardedIdMappingException {
    /**
     * Creates the exception.
     *
     * @param message the persistence unit and the id, and what to change
     */
    public UnshardedUnitException(String message) {
        super(message);
    }
}
