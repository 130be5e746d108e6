package io.github.shardedid.provisioning.internal.migration.liquibase;

import io.github.shardedid.operations.internal.SearchPath;
import io.github.shardedid.provisioning.internal.migration.FilledSchema;
import io.github.shardedid.provisioning.internal.migration.SchemaMigrations.History;
import java.sql.Connection;
import java.sql.SQLException;
import liquibase.database.core.PostgresDatabase;
import liquibase.exception.DatabaseException;

/** One schema of a database: its tables, its history, and a search path that begins with it and names no other shard. */
final class SchemaDatabase extends PostgresDatabase {
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

    /** Of one name, whatever settings there are for Liquibase on other databases. */
    @Override
    public String getDatabaseChangeLogTableName() {
        return History.LIQUIBASE.table();
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

    /** Whether there is more in the schema than what provisioning creates there. */
    boolean isFilled() throws DatabaseException {
        try {
            return FilledSchema.is(connection, schema);
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }
}
