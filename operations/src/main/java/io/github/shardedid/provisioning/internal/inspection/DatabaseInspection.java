package io.github.shardedid.provisioning.internal.inspection;

import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.operations.internal.schema.FunctionSql;
import io.github.shardedid.operations.internal.schema.StoredCluster;
import io.github.shardedid.operations.internal.schema.StoredGlobal;
import io.github.shardedid.operations.internal.schema.StoredShard;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Looks at a database without changing anything. */
public final class DatabaseInspection {
    private static final String SERVER =
            "SELECT current_setting('server_version_num')::int AS version, current_user AS me,"
                    + " (SELECT oid FROM pg_database WHERE datname = current_database()) || '@' || pg_postmaster_start_time()"
                    + " AS identity, has_database_privilege(current_database(), 'CREATE') AS may_create,"
                    + " to_regclass('sharded_id.cluster') IS NOT NULL AND to_regclass('sharded_id.shard') IS NOT NULL AS meta";
    private static final String PRIVILEGES = "SELECT bool_and(has_table_privilege(t, 'SELECT')),"
            + " bool_and(has_table_privilege(t, 'SELECT') AND has_table_privilege(t, 'UPDATE'))"
            + " FROM unnest(ARRAY['sharded_id.cluster', 'sharded_id.shard']::regclass[]) t";
    private static final String FUNCTIONS = "SELECT p.proname, p.prosrc FROM pg_proc p"
            + " JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = 'sharded_id'";

    private DatabaseInspection() {}

    /** All at one moment: a change of the number of JVM nodes replaces the functions together with what is stored. */
    public static DatabaseState inspect(String name, Connection connection) throws SQLException {
        return Transaction.read(connection, () -> {
            Sql.execute(connection, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            return inspected(name, connection);
        });
    }

    private static DatabaseState inspected(String name, Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(SERVER)) {
            row.next();
            DatabaseState empty = new DatabaseState(
                    name,
                    row.getString("identity"),
                    row.getInt("version"),
                    row.getString("me"),
                    row.getBoolean("may_create"),
                    true,
                    true,
                    null,
                    Set.of(),
                    List.of(),
                    null);
            return row.getBoolean("meta") ? lookAtMeta(empty, connection) : empty;
        }
    }

    private static DatabaseState lookAtMeta(DatabaseState state, Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(PRIVILEGES)) {
            row.next();
            boolean mayRead = row.getBoolean(1);
            return new DatabaseState(
                    state.name(),
                    state.identity(),
                    state.versionNumber(),
                    state.user(),
                    state.mayCreate(),
                    mayRead,
                    row.getBoolean(2),
                    mayRead ? StoredCluster.read(connection) : null,
                    functions(connection),
                    mayRead ? StoredShard.readAll(connection) : List.of(),
                    mayRead ? StoredGlobal.read(connection) : null);
        }
    }

    private static Set<FunctionSql.Function> functions(Connection connection) throws SQLException {
        Set<FunctionSql.Function> functions = new HashSet<>();
        Sql.rows(connection, FUNCTIONS)
                .forEach(row -> functions.add(
                        new FunctionSql.Function(String.valueOf(row.get(0)), String.valueOf(row.get(1)))));
        return functions;
    }
}
