package io.github.shardedid.move.internal.replication;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Finds tables of a shard that logical replication stops at, or that it would stop from being written. */
public final class ReplicatedTables {
    private static final int UNPUBLISHED_SINCE = 18;
    private static final String UNDEFINED_FUNCTION = "42883";

    /** Without an index by which the target finds a row: it compares all columns. */
    private static final String COMPARED =
            """
            SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE c.relnamespace = ?::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
              AND a.attgenerated = '' AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisvalid
                AND (i.indisprimary AND i.indimmediate OR c.relreplident = 'i' AND i.indisreplident))
            ORDER BY c.relname, a.attnum""";

    /** Columns of the replica identity, which is of all columns during the move if there is no key. */
    private static final String GENERATED =
            """
            SELECT c.relname || '.' || a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
              LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisvalid
                AND (c.relreplident = 'd' AND i.indisprimary AND i.indimmediate OR c.relreplident = 'i' AND i.indisreplident)
            WHERE c.relnamespace = ?::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
              AND a.attgenerated <> '' AND CASE WHEN i.indexrelid IS NULL THEN ? ELSE a.attnum = ANY (i.indkey) END
            ORDER BY 1""";

    /** As whom the target's server reads the rows. The rows that a policy hides would be missing. */
    private static final String HIDDEN =
            """
            SELECT c.relname FROM pg_class c JOIN pg_roles r ON r.rolname = ?::name
            WHERE c.relnamespace = ?::regnamespace AND c.relkind = 'r' AND c.relrowsecurity
              AND NOT (r.rolsuper OR r.rolbypassrls OR pg_has_role(r.oid, c.relowner, 'USAGE') AND NOT c.relforcerowsecurity)
            ORDER BY 1""";

    private final Connection source;
    private final String schema;
    private final String where;
    private final List<String> obstacles = new ArrayList<>();

    private ReplicatedTables(String database, Connection source, String schema) {
        this.source = source;
        this.schema = schema;
        this.where = "Source " + database + ", schema " + schema + ": ";
    }

    /**
     * Checks the tables of a schema.
     *
     * @param reader the role with which the target's server connects to the source
     * @return a line for each thing that has to be changed, with how; empty if nothing has
     */
    public static List<String> obstacles(String database, Connection source, String schema, String reader)
            throws SQLException {
        ReplicatedTables tables = new ReplicatedTables(database, source, schema);
        tables.generated();
        tables.compared();
        tables.hidden(reader);
        return List.copyOf(tables.obstacles);
    }

    private void generated() throws SQLException {
        boolean full = source.getMetaData().getDatabaseMajorVersion() >= UNPUBLISHED_SINCE;
        List<String> columns = Sql.strings(source, GENERATED, schema, full);
        if (!columns.isEmpty()) {
            obstacles.add(where + "generated columns are not replicated, but are part of the replica identity: "
                    + String.join(", ", columns) + ". Give the tables a primary key of other columns.");
        }
    }

    /** PostgreSQL looks for equality in the same way when it groups. */
    private void compared() throws SQLException {
        Map<String, List<String>> tables =
                Sql.query(source, COMPARED, row -> Map.entry(row.getString(1), row.getString(2)), schema).stream()
                        .collect(Collectors.groupingBy(
                                Map.Entry::getKey,
                                TreeMap::new,
                                Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
        List<String> columns = new ArrayList<>();
        for (Map.Entry<String, List<String>> table : tables.entrySet()) {
            if (!haveEquality(table.getKey(), table.getValue())) {
                for (String column : table.getValue()) {
                    if (!haveEquality(table.getKey(), List.of(column))) {
                        columns.add(table.getKey() + "." + column);
                    }
                }
            }
        }
        if (!columns.isEmpty()) {
            obstacles.add(where + "the target finds rows of tables without a primary key by comparing all columns, but"
                    + " the types of these have no equality, as json, xml and point: " + String.join(", ", columns)
                    + ". Give the tables a primary key, or the columns another type, such as jsonb.");
        }
    }

    private boolean haveEquality(String table, List<String> columns) throws SQLException {
        String all = columns.stream().map(Sql::name).collect(Collectors.joining(", "));
        try {
            Sql.rows(
                    source,
                    "EXPLAIN SELECT FROM ONLY " + Sql.name(schema) + "." + Sql.name(table) + " GROUP BY " + all);
            return true;
        } catch (SQLException e) {
            if (UNDEFINED_FUNCTION.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    private void hidden(String reader) throws SQLException {
        List<String> tables = Sql.strings(source, HIDDEN, reader, schema);
        if (!tables.isEmpty()) {
            String role = Sql.text(source, "SELECT quote_ident(?)", reader);
            obstacles.add(where + "row level security hides rows of these tables from " + role
                    + ", as which the target connects: " + String.join(", ", tables) + ". Run ALTER ROLE " + role
                    + " BYPASSRLS.");
        }
    }
}
