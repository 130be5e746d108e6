package io.github.shardedid.routing;

import io.github.shardedid.ShardedIdException;

/**
 * A SQL text ends within a literal, an identifier or a comment, or the driver and PostgreSQL would read it differently, or the
 * driver rewrites a JDBC escape of it, so that it is not known what it does. Nothing was sent.
 */
public class UnreadableStatementException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message what cannot be read, the statement, and what to write instead
     */
    public UnreadableStatementException(String message) {
        super(message);
    }
}
