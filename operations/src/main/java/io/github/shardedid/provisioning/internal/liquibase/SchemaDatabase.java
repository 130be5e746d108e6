package io.github.shardedid.provisioning.internal.liquibase;

import io.github.shardedid.operations.internal.SearchPath;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.provisioning.internal.SchemaMigrations;
import java.sql.Connection;
import java.sql.SQLException;
import liquibase.database.core.PostgresDatabase;
import liquibase.exception.DatabaseException;

/** One schema of a database: its tables, its history, and a search path that begins with it and names no other shard. */
final class SchemaDatabase extends PostgresDatabase {
    /** On the table of the history, so that it ends with it. */
    private static final String EMPTY_BEFORE = "Sharded id: the schema was empty before the first change set";

    private static final String COMMENT =
            "SELECT pg_catalog.obj_description(cast(cast(? AS pg_catalog.regclass) AS pg_catalog.oid), 'pg_class')";

    private final LentJdbcConnection lent;
    private final Connection connection;
    private final String schema;
    private final String searchPath;

    /** The path names no shard. */
    SchemaDatabase(LentJdbcConnection lent, String schema) throws SQLException, DatabaseException {
        this.lent = lent;
        this.schema = schema;
        connection = lent.getUnderlyingConnection();
        searchPath = schema + ", " + SearchPath.of(connection);
        SearchPath.restore(connection, searchPath);
        setConnection(lent);
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
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
        lent.beginTransaction();
    }

    /** Returns whether there is more in the schema than what provisioning creates there. */
    boolean isFilled() throws DatabaseException {
        return asked(() -> SchemaMigrations.isFilled(connection, schema));
    }

    /** Stores, beside the history, that nothing was in the schema before the first change set. */
    void markEmptyBefore() throws DatabaseException {
        asked(() -> {
            Sql.execute(connection, "COMMENT ON TABLE " + history() + " IS " + Sql.literal(EMPTY_BEFORE));
            return true;
        });
        commit();
    }

    /** Returns whether that was stored. */
    boolean wasEmptyBefore() throws DatabaseException {
        return asked(() -> EMPTY_BEFORE.equals(Sql.text(connection, COMMENT, history())));
    }

    private String history() {
        return schema + "." + getDatabaseChangeLogTableName();
    }

    private static boolean asked(Sql.Query<Boolean> question) throws DatabaseException {
        try {
            return question.run();
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }
}
