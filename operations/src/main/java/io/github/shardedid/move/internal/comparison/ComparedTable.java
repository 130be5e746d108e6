package io.github.shardedid.move.internal.comparison;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A table of which there are two copies.
 *
 * @param name without its schema
 * @param columns all of them, in their order
 * @param bytes that its rows took when this was read, without large values and indexes
 * @param key the columns that identify a row, and are logged for each changed row; empty if there are none
 */
record ComparedTable(String name, List<Column> columns, long bytes, List<KeyColumn> key) {
    /** The type of a column that is of an enumeration. */
    static final String ENUM = "enum";

    /**
     * A column.
     *
     * @param name as in the catalog
     * @param type the name of a type of PostgreSQL's own, {@link #ENUM}, or empty for any other one
     */
    record Column(String name, String type) {}

    /**
     * A column of the key.
     *
     * @param name as in the catalog
     * @param type as in SQL, with the schema in the search path
     */
    record KeyColumn(String name, String type) {}

    /**
     * The tables of a publication that are in its schema, except the mover's own. The key consists of the columns that the replica identity
     * adds to the log for updated and deleted rows: the primary key or a unique index; or, where whole rows are logged, any of these.
     */
    private static final String TABLES =
            """
            SELECT p.tablename,
              (SELECT pg_catalog.array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
               WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
              (SELECT pg_catalog.array_agg(CASE WHEN t.typtype = 'e' THEN 'enum' WHEN t.typtype = 'b' AND t.oid < 16384::oid
                  AND t.typnamespace = 'pg_catalog'::regnamespace::oid THEN t.typname::text ELSE '' END ORDER BY a.attnum)
               FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
               WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS column_types,
              pg_catalog.pg_relation_size(c.oid) AS bytes, k.names, k.types
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
        List<ComparedTable> tables = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(TABLES)) {
            select.setString(1, publication);
            select.setString(2, schema);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    List<String> names = texts(row.getArray("names"));
                    List<String> types = texts(row.getArray("types"));
                    List<KeyColumn> key = new ArrayList<>();
                    for (int i = 0; i < names.size(); i++) {
                        key.add(new KeyColumn(names.get(i), types.get(i)));
                    }
                    tables.add(new ComparedTable(row.getString("tablename"), columns(row), row.getLong("bytes"), key));
                }
            }
        }
        return tables;
    }

    private static List<Column> columns(ResultSet row) throws SQLException {
        List<String> names = texts(row.getArray("columns"));
        List<String> types = texts(row.getArray("column_types"));
        return IntStream.range(0, names.size())
                .mapToObj(i -> new Column(names.get(i), types.get(i)))
                .toList();
    }

    @SuppressWarnings("NullAway") // The driver returns null for SQL's null.
    private static List<String> texts(Array array) throws SQLException {
        return array == null ? List.of() : Arrays.asList((String[]) array.getArray());
    }

    boolean hasKey() {
        return !key.isEmpty();
    }
}
