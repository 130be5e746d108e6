package io.github.shardedid.hibernate;

import org.hibernate.JDBCException;

/**
 * A row could not be read by its id, because its database or the connection to it failed. Whether there is such a row is
 * not known. A class of its own, since Hibernate's {@code find} takes its own exceptions of this kind, within a
 * transaction, for a row that does not exist.
 */
public class UnreadableRowException extends JDBCException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message the entity, the id, and the reason
     * @param cause what Hibernate said
     */
    public UnreadableRowException(String message, JDBCException cause) {
        super(message, cause.getSQLException(), cause.getSQL());
        addSuppressed(cause);
    }
}
