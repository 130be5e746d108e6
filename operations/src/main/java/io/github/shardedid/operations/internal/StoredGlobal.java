package io.github.shardedid.operations.internal;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The single row of {@code sharded_id.global_schema}: this database has the global entities. The table is created
 * when it is needed.
 *
 * @param schema of the global entities
 * @param exists whether the schema exists
 * @param migrations fingerprint of the application's global migrations in the schema, or null
 */
public record StoredGlobal(String schema, boolean exists, @Nullable String migrations) {
    /** Reads the row; null if there is none. */
    public static @Nullable StoredGlobal read(Connection connection) throws SQLException {
        if (!Sql.is(connection, "SELECT pg_catalog.to_regclass('sharded_id.global_schema') IS NOT NULL")) {
            return null;
        }
        return Sql.first(
                connection,
                "SELECT schema_name, pg_catalog.to_regnamespace(schema_name) IS NOT NULL, migrations"
                        + " FROM sharded_id.global_schema",
                row -> new StoredGlobal(row.getString(1), row.getBoolean(2), row.getString(3)));
    }

    /** Creates the schema unless it exists, and stores its name. */
    public static void create(Connection connection, String schema) throws SQLException {
        Transaction.run(connection, () -> {
            Sql.execute(
                    connection,
                    "CREATE TABLE IF NOT EXISTS sharded_id.global_schema (only_row boolean PRIMARY KEY DEFAULT true"
                            + " CHECK (only_row), schema_name text NOT NULL, migrations text)");
            Sql.execute(connection, "CREATE SCHEMA IF NOT EXISTS " + schema);
            Sql.execute(connection, "INSERT INTO sharded_id.global_schema (schema_name) VALUES ('" + schema + "')");
        });
    }

    public static void remember(Connection connection, @Nullable String fingerprint) throws SQLException {
        Sql.update(connection, "UPDATE sharded_id.global_schema SET migrations = ?", fingerprint);
    }
}
