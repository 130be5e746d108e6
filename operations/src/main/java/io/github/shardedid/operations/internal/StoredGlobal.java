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
    private static final String ROW = Sql.load(StoredGlobal.class, "global_schema.sql");
    private static final String CREATE = Sql.load(StoredGlobal.class, "create_global_schema.sql");

    /** Reads the row; null if there is none. */
    public static @Nullable StoredGlobal read(Connection connection) throws SQLException {
        if (!Sql.is(connection, "SELECT pg_catalog.to_regclass('sharded_id.global_schema') IS NOT NULL")) {
            return null;
        }
        return Sql.first(
                connection, ROW, row -> new StoredGlobal(row.getString(1), row.getBoolean(2), row.getString(3)));
    }

    /** Creates the schema unless it exists, and stores its name. */
    public static void create(Connection connection, String schema) throws SQLException {
        Transaction.run(connection, () -> Sql.execute(connection, CREATE.formatted(schema)));
    }

    public static void remember(Connection connection, @Nullable String fingerprint) throws SQLException {
        Sql.update(connection, "UPDATE sharded_id.global_schema SET migrations = ?", fingerprint);
    }
}
