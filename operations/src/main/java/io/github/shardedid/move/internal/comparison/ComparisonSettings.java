package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Settings of a transaction under which equal rows have equal texts in both databases, and rows are found by an index on their key
 * even if the statistics are outdated.
 */
final class ComparisonSettings {
    /** With row security off, rows that a policy hides raise an error. */
    private static final String SETTINGS =
            """
            SELECT set_config(name, value, true) FROM (VALUES ('search_path', ?), ('datestyle', 'ISO, YMD'),
              ('intervalstyle', 'postgres'), ('timezone', 'UTC'), ('extra_float_digits', '1'), ('bytea_output', 'hex'),
              ('lc_monetary', 'C'), ('quote_all_identifiers', 'off'), ('row_security', 'off'), ('jit', 'off'),
              ('enable_seqscan', 'off'), ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'), ('enable_sort', 'off'),
              ('statement_timeout', '0'), ('idle_in_transaction_session_timeout', '0')) settings (name, value)""";

    /** The schemas of the types of all columns: the operators of a type are usually in its schema. */
    private static final String SCHEMAS_OF_TYPES =
            """
            SELECT DISTINCT quote_ident(s.nspname) FROM pg_namespace n
              JOIN pg_class c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'p') JOIN pg_attribute a ON a.attrelid = c.oid
              JOIN pg_type t ON t.oid = a.atttypid JOIN pg_namespace s ON s.oid = t.typnamespace
            WHERE n.nspname = ? AND a.attnum > 0 AND s.nspname NOT IN (n.nspname, 'pg_catalog')""";

    private ComparisonSettings() {}

    /** The schemas that may contain operators for the columns' types, without the shard's own schema. */
    static List<String> schemasOfTypes(Connection connection, String schema) throws SQLException {
        return Sql.strings(connection, SCHEMAS_OF_TYPES, schema);
    }

    /** Sets them for the transaction, with the shard's schema first in the search path. */
    static void apply(Connection connection, String schema, List<String> others) throws SQLException {
        List<String> path = new ArrayList<>(List.of(Sql.name(schema)));
        path.addAll(others);
        Sql.rows(connection, SETTINGS, String.join(", ", path));
    }
}
