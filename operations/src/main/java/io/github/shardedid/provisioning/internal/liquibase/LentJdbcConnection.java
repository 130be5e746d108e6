package io.github.shardedid.provisioning.internal.liquibase;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.DatabaseException;

/**
 * The caller's connection. Liquibase commits a change set before the row of its history: a process that is killed in between leaves a
 * change set that runs again. While commits are deferred, both are one transaction.
 */
final class LentJdbcConnection extends JdbcConnection {
    private boolean deferring;
    private boolean inChangeSet;
    private List<String> transaction = List.of();

    LentJdbcConnection(Connection connection) {
        super(connection);
    }

    /** Sets whether commits do nothing from now on. */
    void defer(boolean wanted) {
        deferring = wanted;
        inChangeSet = false;
        transaction = List.of();
    }

    /** A change set begins: commits do nothing until its row is in the history. */
    void beginChangeSet() {
        defer(true);
        inChangeSet = true;
    }

    /** The changes of a change set begin: its SQL must not end the transaction of now. */
    void beginTransaction() throws DatabaseException {
        if (inChangeSet) {
            transaction = transaction();
        }
    }

    /** Empty in autocommit mode. */
    private List<String> transaction() throws DatabaseException {
        try {
            return getAutoCommit()
                    ? List.of()
                    : Sql.strings(getUnderlyingConnection(), "SELECT pg_catalog.pg_current_xact_id()");
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    @Override
    public void commit() throws DatabaseException {
        if (!deferring) {
            super.commit();
        } else if (!transaction.isEmpty() && !transaction.equals(transaction())) {
            throw new DatabaseException(
                    "its SQL has ended the transaction, as COMMIT and ROLLBACK do. Undo by hand what it has"
                            + " committed, and remove such statements, or set runInTransaction to false");
        }
    }

    /** It stays the caller's to close. */
    @Override
    public void close() {}
}
