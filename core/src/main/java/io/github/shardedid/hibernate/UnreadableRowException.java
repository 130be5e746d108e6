package io.github.shardedid.hibernate;

import org.hibernate.JDBCException;

/**
 * A row could not be read by its id, because its database or the connection to it failed. Whether the row exists is unknown. Not one of
 * Hibernate's exceptions, which its {@code find} takes for a missing row within a transaction.
 */
public class UnreadableRowException extends JDBCException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message the entity, the id, and the reason
     * @param cause the exception of Hibernate; never null
     */
    public UnreadableRowException(String message, JDBCException cause) {
        super(message, cause.getSQLException(), cause.getSQL());
        addSuppressed(cause);
    }
}
