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
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Looks at a database without changing anything. */
public final class DatabaseInspection {
    private static final String SERVER =
            "SELECT current_setting('server_version_num')::int AS version, current_user AS me,"
                    + " (SELECT oid FROM pg_database WHERE datname = current_database()) || '@' || pg_postmaster_start_time()"
                    + " AS identity,"
                    + " coalesce(has_table_privilege(to_regclass('sharded_id.run'), 'SELECT'), false) AS journal,"
                    + " to_regclass('sharded_id.cluster') IS NOT NULL AND to_regclass('sharded_id.shard') IS NOT NULL AS meta";
    private static final String READABLE = "SELECT bool_and(has_table_privilege(t, 'SELECT'))"
            + " FROM unnest(ARRAY['sharded_id.cluster', 'sharded_id.shard']::regclass[]) t";

    /** The other owners of the cluster's schemas, and what grants their rights, and CREATE if they have not got it either. */
    private static final String MISSING =
            """
            WITH other AS (
              SELECT DISTINCT n.nspowner AS oid, pg_get_userbyid(n.nspowner) AS name, pg_has_role(n.nspowner, 'MEMBER') AS member
              FROM pg_namespace n WHERE (n.nspname = 'sharded_id' OR n.nspname ~ '^shard_[0-9]+$') AND NOT pg_has_role(n.nspowner, 'USAGE')
            )
            SELECT (SELECT string_agg(quote_ident(name), ', ' ORDER BY name) FROM other),
              (SELECT format('GRANT %s TO %I', string_agg(quote_ident(name), ', ' ORDER BY name), current_user)
                || CASE WHEN bool_or(member) AND current_setting('server_version_num')::int >= 160000 THEN ' WITH INHERIT TRUE' ELSE '' END
                FROM other HAVING count(*) > 0),
              CASE WHEN NOT has_database_privilege(current_database(), 'CREATE')
                AND NOT EXISTS (SELECT FROM other WHERE has_database_privilege(oid, current_database(), 'CREATE'))
                THEN format('GRANT CREATE ON DATABASE %I TO %I', current_database(), current_user) END
            """;

    private static final String FUNCTIONS = "SELECT p.proname, p.prosrc FROM pg_proc p"
            + " JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = 'sharded_id'";

    private static final String UNFINISHED = "SELECT fingerprint FROM sharded_id.run WHERE kind = 'SHARDS'";

    private DatabaseInspection() {}

    /** All at one moment: an upgrade replaces the functions together with the version that is stored. */
    public static DatabaseState inspect(String name, Connection connection) throws SQLException {
        return Transaction.read(
                connection, "REPEATABLE READ", () -> Sql.query(connection, SERVER, row -> state(name, connection, row))
                        .get(0));
    }

    private static DatabaseState state(String name, Connection connection, ResultSet row) throws SQLException {
        boolean meta = row.getBoolean("meta");
        boolean mayRead = !meta || Sql.is(connection, READABLE);
        List<@Nullable String> missing = Sql.rows(connection, MISSING).get(0);
        boolean known = meta && mayRead;
        return new DatabaseState(
                name,
                row.getString("identity"),
                row.getInt("version"),
                row.getString("me"),
                mayRead,
                missing.get(0),
                missing.subList(1, missing.size()).stream()
                        .flatMap(Stream::ofNullable)
                        .toList(),
                known ? StoredCluster.read(connection) : null,
                meta ? functions(connection) : Set.of(),
                known ? StoredShard.readAll(connection) : List.of(),
                known ? StoredGlobal.read(connection) : null,
                row.getBoolean("journal") ? Set.copyOf(Sql.strings(connection, UNFINISHED)) : Set.of());
    }

    private static Set<FunctionSql.Function> functions(Connection connection) throws SQLException {
        return Set.copyOf(
                Sql.query(connection, FUNCTIONS, row -> new FunctionSql.Function(row.getString(1), row.getString(2))));
    }
}
