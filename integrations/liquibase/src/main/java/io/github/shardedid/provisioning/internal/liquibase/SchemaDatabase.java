package io.github.shardedid.provisioning.internal.liquibase;

import io.github.shardedid.operations.internal.SearchPath;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import liquibase.changelog.ChangeSet;
import liquibase.changelog.ChangeSet.ExecType;
import liquibase.changelog.ChangeSet.RunStatus;
import liquibase.changelog.DatabaseChangeLog;
import liquibase.changelog.visitor.AbstractChangeExecListener;
import liquibase.database.Database;
import liquibase.database.core.PostgresDatabase;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.DatabaseException;
import org.jspecify.annotations.Nullable;

/**
 * One schema of a database: its tables, its history, and a search path that begins with it and names no other shard. Liquibase commits a
 * change set before the row of its history: a process that is killed in between leaves a change set that runs again. Here, both are one
 * transaction:
 * <ol>
 *   <li>Liquibase announces a change set. From now on, its commits do nothing.
 *   <li>It rolls back, which begins a transaction with the search path of the schema. The id of this transaction is kept.
 *   <li>It runs the changes and asks to commit. The id of the transaction is compared: another one means that the SQL of the change
 *       set has committed or rolled back, so the change set fails and is not recorded.
 *   <li>It inserts the row of the history, reports that the change set has run, and commits. That commit is sent to the database.
 * </ol>
 */
final class SchemaDatabase extends PostgresDatabase {
    private final Connection connection;
    private final String searchPath;
    /** Whether commits of Liquibase are ignored: always for an inspection, otherwise between begin and end of a change set. */
    private boolean deferring;

    /** Null between change sets. Stays set after a failure, so that the message can name the change set. */
    private @Nullable ChangeSet running;

    /** Id of the transaction in which the changes of {@link #running} have to stay; null if nothing is compared. */
    private @Nullable String transaction;

    /** The path of the connection names no shard. Nothing is committed by an inspection, which may correct rows of the history. */
    SchemaDatabase(Connection connection, String schema, boolean inspects) throws SQLException, DatabaseException {
        this.connection = connection;
        this.deferring = inspects;
        searchPath = schema + ", " + SearchPath.of(connection);
        SearchPath.restore(connection, searchPath);
        setConnection(new LentConnection());
        setDefaultSchemaName(schema);
        setLiquibaseSchemaName(schema);
    }

    /** Returns one name, whatever settings there are for Liquibase on other databases. */
    @Override
    public String getDatabaseChangeLogTableName() {
        return LiquibaseMigrations.TABLE;
    }

    /** Liquibase does this before the changes of each change set: the path that one has set does not hold for the next. */
    @Override
    public void rollback() throws DatabaseException {
        getConnection().rollback();
        try {
            SearchPath.restore(connection, searchPath);
            transaction = running == null ? null : transaction();
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    private @Nullable String transaction() throws SQLException {
        return Sql.text(connection, "SELECT pg_catalog.pg_current_xact_id()");
    }

    /** Returns the change set that has begun last and has not ended. */
    @Nullable
    ChangeSet running() {
        return running;
    }

    /** Defers commits from the beginning of a change set until its row is in the history, after which Liquibase commits once more. */
    final class ChangeSets extends AbstractChangeExecListener {
        @Override
        public void willRun(ChangeSet changeSet, DatabaseChangeLog changeLog, Database database, RunStatus status) {
            running = changeSet;
            deferring = true;
        }

        @Override
        public void ran(ChangeSet changeSet, DatabaseChangeLog changeLog, Database database, ExecType type) {
            running = null;
            transaction = null;
            deferring = false;
        }
    }

    /** The caller's connection, which stays the caller's to close. */
    private final class LentConnection extends JdbcConnection {
        LentConnection() {
            super(connection);
        }

        @Override
        public void commit() throws DatabaseException {
            if (!deferring) {
                super.commit();
                return;
            }
            try {
                if (transaction != null && !transaction.equals(transaction())) {
                    throw new DatabaseException("its SQL has ended the transaction, as COMMIT and ROLLBACK do. Undo by"
                            + " hand what it has committed, and remove such statements");
                }
            } catch (SQLException e) {
                throw new DatabaseException(e);
            }
        }

        @Override
        public void close() {}
    }
}
