package io.github.shardedid.routing;

import io.github.shardedid.ShardedIdException;

/** What is configured as a replica of a database is none: another cluster's, another database's, or no hot standby at all. */
public class ReplicaMismatchException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the database, the number of the replica, what it is instead, and what to do
     */
    public ReplicaMismatchException(String message) {
        super(message);
    }
}
