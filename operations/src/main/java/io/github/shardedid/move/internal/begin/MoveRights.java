package io.github.shardedid.move.internal.begin;

import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The privileges that a move needs in a database with or without replication: it creates and renames schemas, and writes the journal. */
final class MoveRights {
    /** The mover also acts as the owner of the cluster; memberships have options since PostgreSQL 16. */
    private static final String NOT_OWNED = "SELECT n.nspname, quote_ident(pg_get_userbyid(n.nspowner)),"
            + " quote_ident(current_user) || CASE WHEN v.major >= 16 AND pg_has_role(n.nspowner, 'MEMBER')"
            + " THEN ' WITH INHERIT TRUE, SET TRUE' ELSE '' END, quote_ident(current_user)"
            + " FROM pg_namespace n, (SELECT current_setting('server_version_num')::int / 10000 AS major) v"
            + " WHERE (n.nspname IN (?, 'sharded_id') OR n.nspname ~ ?) AND NOT (pg_has_role(n.nspowner, 'USAGE')"
            + " AND pg_has_role(n.nspowner, CASE WHEN v.major >= 16 THEN 'SET' ELSE 'MEMBER' END)) ORDER BY 1";

    private static final String NOT_WRITTEN = "SELECT c.oid::regclass::text, quote_ident(pg_get_userbyid(c.relowner)),"
            + " quote_ident(current_user) FROM pg_class c WHERE c.oid IN (to_regclass('sharded_id.shard'),"
            + " to_regclass('sharded_id.move')) AND NOT (has_schema_privilege(c.relnamespace, 'USAGE')"
            + " AND has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')"
            + " AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE')) ORDER BY 1";
    private static final String NO_SCHEMAS = "SELECT quote_ident(current_database()), quote_ident(current_user)"
            + " WHERE NOT has_database_privilege(current_database(), 'CREATE')";

    private MoveRights() {}

    /** A line for each, with the statement that grants it. */
    static List<String> missing(String database, Connection connection, int shard) throws SQLException {
        List<String> lines = new ArrayList<>();
        String schema = ShardSchema.nameOf(shard);
        for (List<@Nullable String> row : Sql.rows(connection, NO_SCHEMAS)) {
            lines.add("Role " + row.get(1) + " may not create or rename schemas in database " + database
                    + ", nor publications or subscriptions. Run GRANT CREATE ON DATABASE " + row.get(0) + " TO "
                    + row.get(1) + " there.");
        }
        for (List<@Nullable String> row : Sql.rows(connection, NOT_OWNED, schema, "^" + schema + "_fenced_[0-9]+$")) {
            String owned = "sharded_id".equals(row.get(0)) ? "schema sharded_id" : "the schema of the shard";
            lines.add("Role " + row.get(3) + " does not own " + owned + " in database " + database + ". Run GRANT "
                    + row.get(1) + " TO " + row.get(2) + " there.");
        }
        for (List<@Nullable String> row : Sql.rows(connection, NOT_WRITTEN)) {
            lines.add("Role " + row.get(2) + " may not write to " + row.get(0) + " of database " + database
                    + ". Run GRANT " + row.get(1) + " TO " + row.get(2) + " there.");
        }
        return lines;
    }
}
