package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A table that is compared.
 *
 * @param name without the schema
 * @param columns all columns, in their order. The type is the name of a built-in type, {@link #ENUM}, or empty for any other type
 * @param bytes the size of its rows, without TOAST and indexes
 * @param key the columns that identify a row and are logged for each changed row; empty if there are none. The type is written as
 *     in SQL, with the schema in the search path
 */
record ComparedTable(String name, List<Column> columns, long bytes, List<Column> key) {
    /** The type of a column whose type is an enum. */
    static final String ENUM = "enum";

    /**
     * A column.
     *
     * @param name as in the catalog
     * @param type see {@link ComparedTable}
     */
    record Column(String name, String type) {}

    /**
     * The tables of a publication, except the move's marker. The key consists of columns that the replica identity adds to the log for
     * updated and deleted rows: those of the primary key or of the index chosen for it, or of any unique index if it is {@code FULL}.
     */
    private static final String TABLES =
            """
            SELECT p.tablename,
              (SELECT coalesce(pg_catalog.array_agg(a.attname::text ORDER BY a.attnum), '{}') FROM pg_attribute a
               WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
              (SELECT coalesce(pg_catalog.array_agg(CASE WHEN t.typtype = 'e' THEN 'enum' WHEN t.typtype = 'b' AND t.oid < 16384::oid
                  AND t.typnamespace = 'pg_catalog'::regnamespace::oid THEN t.typname::text ELSE '' END ORDER BY a.attnum), '{}')
               FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
               WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS column_types,
              pg_catalog.pg_relation_size(c.oid) AS bytes,
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
                row -> new ComparedTable(
                        row.getString("tablename"),
                        columns(row, "columns", "column_types"),
                        row.getLong("bytes"),
                        columns(row, "names", "types")),
                publication,
                schema);
    }

    private static List<Column> columns(ResultSet row, String names, String types) throws SQLException {
        String[] name = (String[]) row.getArray(names).getArray();
        String[] type = (String[]) row.getArray(types).getArray();
        return IntStream.range(0, name.length)
                .mapToObj(i -> new Column(name[i], type[i]))
                .toList();
    }

    boolean hasKey() {
        return !key.isEmpty();
    }
}
