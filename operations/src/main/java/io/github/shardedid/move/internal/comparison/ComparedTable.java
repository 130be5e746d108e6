package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table that is compared.
 *
 * @param name without the schema
 * @param columns the names of all columns, in their order at the source
 * @param key the columns that identify a row and are logged for each changed row; empty if there are none
 */
record ComparedTable(String name, List<String> columns, List<Column> key) {
    /**
     * A column of the key.
     *
     * @param name as in the catalog
     * @param type as in SQL, with the schema in the search path
     */
    record Column(String name, String type) {
        /** The column of a row with the alias {@code t}. */
        String sql() {
            return "t." + Sql.name(name);
        }
    }

    private static final String TABLES = Sql.load(ComparedTable.class, "compared_tables.sql");

    static List<ComparedTable> published(Connection connection, String publication, String schema) throws SQLException {
        return Sql.query(
                connection,
                TABLES,
                row -> {
                    List<String> names = texts(row, "names");
                    List<String> types = texts(row, "types");
                    List<Column> key = IntStream.range(0, names.size())
                            .mapToObj(i -> new Column(names.get(i), types.get(i)))
                            .toList();
                    return new ComparedTable(row.getString("tablename"), texts(row, "columns"), key);
                },
                publication,
                schema);
    }

    private static List<String> texts(ResultSet row, String column) throws SQLException {
        return List.of((String[]) row.getArray(column).getArray());
    }

    boolean hasKey() {
        return !key.isEmpty();
    }

    /**
     * The SQL of a 64-bit hash of a row with the alias {@code t}, never null. Rows with equal hashes are taken for equal rows. It is the hash of
     * the row's text: the types' own hash functions do not distinguish all values that replication does, such as 1.0 and 1.00, or 0 and -0.
     */
    String hash() {
        return "pg_catalog.hashtextextended(ROW("
                + columns.stream().map(name -> "t." + Sql.name(name)).collect(Collectors.joining(", "))
                + ")::text COLLATE pg_catalog.\"C\", 0)";
    }
}
