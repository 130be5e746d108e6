package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * A table that is compared, with the SQL that reads its rows, whose alias is {@code t}. Types are named with the schema in the search path.
 *
 * @param name without the schema
 * @param hash a 64-bit hash of a row, never null. Rows with equal hashes are taken for equal rows. It is the hash of the row's text: the
 *     types' own hash functions do not distinguish all values that replication does, such as 1.0 and 1.00, or 0 and -0
 * @param key the names of the columns that identify a row and are logged for each changed row; empty if there are none
 * @param columns those of the key, separated by commas
 * @param texts the same as texts
 * @param parameters of their types, in place of texts
 * @param join with lists of texts, one for each column, as {@code i}, with the number {@code n} of the row in these
 */
record ComparedTable(
        String name, String hash, List<String> key, String columns, String texts, String parameters, String join) {
    private static final String TABLES = Sql.load(ComparedTable.class, "compared_tables.sql");

    static List<ComparedTable> published(Connection connection, String publication, String schema) throws SQLException {
        return Sql.query(
                connection,
                TABLES,
                row -> new ComparedTable(
                        row.getString(1),
                        row.getString(2),
                        List.of((String[]) row.getArray(3).getArray()),
                        row.getString(4),
                        row.getString(5),
                        row.getString(6),
                        row.getString(7)),
                publication,
                schema);
    }

    boolean hasKey() {
        return !key.isEmpty();
    }
}
