package io.github.shardedid.provisioning.internal.migration.liquibase;

import java.sql.Connection;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.DatabaseException;

/**
 * The caller's connection. Liquibase commits a change set before the row of its history: a process that is killed in between leaves a
 * change set that runs again. While commits are deferred, both are one transaction.
 */
final class LentJdbcConnection extends JdbcConnection {
    private boolean deferring;

    LentJdbcConnection(Connection connection) {
        super(connection);
    }

    /** Whether commits do nothing from now on. */
    void defer(boolean wanted) {
        deferring = wanted;
    }

    @Override
    public void commit() throws DatabaseException {
        if (!deferring) {
            super.commit();
        }
    }

    /** It stays the caller's to close. */
    @Override
    public void close() {}
}
