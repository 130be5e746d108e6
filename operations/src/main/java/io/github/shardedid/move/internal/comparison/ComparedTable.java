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

    /**
     * The tables of a publication, except the move's marker. The key consists of columns that the replica identity adds to the log for
     * updated and deleted rows: those of the primary key or of the index chosen for it, or of any unique index if it is {@code FULL}.
     */
    private static final String TABLES =
            """
            SELECT p.tablename,
              (SELECT coalesce(pg_catalog.array_agg(a.attname::text ORDER BY a.attnum), '{}') FROM pg_attribute a
               WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
              coalesce(k.names, '{}') AS names, coalesce(k.types, '{}') AS types
            FROM pg_publication_tables p
              JOIN pg_namespace n ON n.nspname = p.schemaname JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = p.tablename
              LEFT JOIN LATERAL (
                SELECT pg_catalog.array_agg(a.attname::text ORDER BY u.n) AS names,
                  pg_catalog.array_agg(pg_catalog.format_type(a.atttypid, a.atttypmod) ORDER BY u.n) AS types
                FROM pg_index i CROSS JOIN pg_catalog.unnest(i.indkey) WITH ORDINALITY AS u(attnum, n)
                  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = u.attnum
                WHERE i.indrelid = c.oid AND u.n <= i.indnkeyatts AND i.indisunique AND i.indimmediate AND i.indisvalid
                  AND i.indpred IS NULL AND i.indexprs IS NULL
                  AND CASE c.relreplident WHEN 'd' THEN i.indisprimary WHEN 'i' THEN i.indisreplident ELSE true END
                GROUP BY i.indexrelid, i.indisprimary HAVING bool_and(a.attnotnull)
                ORDER BY i.indisprimary DESC, count(*), i.indexrelid LIMIT 1) k ON true
            WHERE p.pubname = cast(? AS name) AND p.schemaname = cast(? AS name) AND p.tablename <> 'sharded_id_move_marker'
            ORDER BY p.tablename""";

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
