package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Settings under which equal rows have equal texts in both databases, and rows are looked up by their keys however the
 * statistics are; valid until the transaction's end.
 */
final class ComparisonSettings {
    /** Row security is off so that rows which a policy hides raise an error. */
    private static final Map<String, String> SETTINGS = new TreeMap<>(Map.ofEntries(
            Map.entry("datestyle", "ISO, YMD"),
            Map.entry("intervalstyle", "postgres"),
            Map.entry("timezone", "UTC"),
            Map.entry("extra_float_digits", "1"),
            Map.entry("bytea_output", "hex"),
            Map.entry("lc_monetary", "C"),
            Map.entry("quote_all_identifiers", "off"),
            Map.entry("row_security", "off"),
            Map.entry("jit", "off"),
            Map.entry("enable_seqscan", "off"),
            Map.entry("enable_hashjoin", "off"),
            Map.entry("enable_mergejoin", "off"),
            Map.entry("enable_sort", "off"),
            Map.entry("statement_timeout", "0"),
            Map.entry("idle_in_transaction_session_timeout", "0")));
    /** The schemas of the types that the shard's tables use: their operators are beside them. */
    private static final String SCHEMAS_OF_TYPES =
            """
            SELECT DISTINCT quote_ident(s.nspname) FROM pg_namespace n
              JOIN pg_class c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'p') JOIN pg_attribute a ON a.attrelid = c.oid
              JOIN pg_type t ON t.oid = a.atttypid JOIN pg_namespace s ON s.oid = t.typnamespace
            WHERE n.nspname = ? AND a.attnum > 0 AND s.nspname NOT IN (n.nspname, 'pg_catalog')""";

    private ComparisonSettings() {}

    /** The schemas, other than the shard's own, in which operators of its columns' types may be. */
    static List<String> schemasOfTypes(Connection connection, String schema) throws SQLException {
        List<String> schemas = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(SCHEMAS_OF_TYPES)) {
            select.setString(1, schema);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    schemas.add(row.getString(1));
                }
            }
        }
        return schemas;
    }

    /** Valid until the end of the transaction, with the shard's schema first in the search path. */
    static void apply(Connection connection, String schema, List<String> others) throws SQLException {
        List<String> path = new ArrayList<>(List.of(Sql.name(schema)));
        path.addAll(others);
        List<String> calls = new ArrayList<>(List.of("set_config('search_path', ?, true)"));
        SETTINGS.forEach((name, value) -> calls.add("set_config('" + name + "', '" + value + "', true)"));
        try (PreparedStatement select = connection.prepareStatement("SELECT " + String.join(", ", calls))) {
            select.setString(1, String.join(", ", path));
            select.executeQuery().close();
        }
    }
}
