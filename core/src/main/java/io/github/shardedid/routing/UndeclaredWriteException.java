package io.github.shardedid.routing;

import io.github.shardedid.ShardedIdException;

/**
 * At commit it turned out that a transaction had written to more than one database: a statement that looks like a read
 * hid a write, such as a select of a function that inserts. Everything was rolled back, on all databases.
 */
public class UndeclaredWriteException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the databases, and what to do
     */
    public UndeclaredWriteException(String message) {
        super(message);
    }
}
