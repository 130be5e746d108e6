package io.github.shardedid.hibernate.internal.rows;

import io.github.shardedid.hibernate.internal.mapping.RowReferences.Reference;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The tables and foreign keys of a shard, as its catalog has them: migrations may have more of both than the mappings. Immutable.
 *
 * @param tables by name
 * @param keys whether rows are deleted ({@code c}), set to null or a default ({@code n}, {@code d}) or block, by foreign key
 */
record ShardCatalog(Map<String, Table> tables, Map<Reference, String> keys) {
    private static final String TABLES =
            """
            SELECT c.relname, c.relkind = 'p',
              ARRAY(SELECT a.attname::text FROM pg_catalog.pg_index i, unnest(i.indkey) WITH ORDINALITY k(number, ordinal),
                    pg_catalog.pg_attribute a
                WHERE i.indrelid = c.oid AND i.indisprimary AND a.attrelid = c.oid AND a.attnum = k.number ORDER BY k.ordinal),
              ARRAY(SELECT a.attname::text FROM pg_catalog.pg_attribute a
                WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum),
              ARRAY(SELECT a.attname::text FROM pg_catalog.pg_attribute a
                WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attnotnull),
              ARRAY(SELECT a.attname || ' ' || format_type(a.atttypid, a.atttypmod) FROM pg_catalog.pg_attribute a
                WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
            FROM pg_catalog.pg_class c
            WHERE c.relnamespace = to_regnamespace(?) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
            """;

    private static final String KEYS =
            """
            SELECT t.relname, r.relname, k.confdeltype::text,
              ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY n(number, ordinal), pg_catalog.pg_attribute a
                WHERE a.attrelid = k.conrelid AND a.attnum = n.number ORDER BY n.ordinal),
              ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY n(number, ordinal), pg_catalog.pg_attribute a
                WHERE a.attrelid = k.confrelid AND a.attnum = n.number ORDER BY n.ordinal)
            FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class t ON t.oid = k.conrelid
            JOIN pg_catalog.pg_class r ON r.oid = k.confrelid
            WHERE k.contype = 'f' AND k.conparentid = 0
              AND t.relnamespace = to_regnamespace(?) AND r.relnamespace = t.relnamespace
            """;

    /**
     * A table.
     *
     * @param partitioned whether its rows have no addresses of their own
     * @param primaryKey empty if it has none
     * @param columns those that are not generated
     * @param types of all columns: each name, a space and the type
     */
    record Table(
            String name,
            boolean partitioned,
            List<String> primaryKey,
            List<String> columns,
            List<String> notNull,
            List<String> types) {
        /** Returns the columns that identify a row. */
        List<String> identity() {
            return primaryKey.isEmpty() ? List.of("ctid") : primaryKey;
        }

        String typeOf(String column) {
            return types.stream()
                    .filter(each -> each.startsWith(column + " "))
                    .map(each -> each.substring(column.length() + 1))
                    .findFirst()
                    .orElse("text");
        }

        /** Returns whether a column refers to a large object, whose content is not in the row. */
        boolean hasLargeObjects() {
            return types.stream().anyMatch(each -> each.endsWith(" oid") || each.endsWith(" lo"));
        }
    }

    private interface Row {
        void read(ResultSet row) throws SQLException;
    }

    static ShardCatalog read(Connection connection, String schema) throws SQLException {
        ShardCatalog catalog = new ShardCatalog(new LinkedHashMap<>(), new LinkedHashMap<>());
        query(connection, TABLES, schema, row -> {
            String name = row.getString(1);
            catalog.tables.put(
                    name, new Table(name, row.getBoolean(2), list(row, 3), list(row, 4), list(row, 5), list(row, 6)));
        });
        query(connection, KEYS, schema, row -> {
            Reference key = new Reference(row.getString(1), list(row, 4), row.getString(2), list(row, 5));
            catalog.keys.put(key, row.getString(3));
        });
        return catalog;
    }

    private static void query(Connection connection, String sql, String schema, Row reader) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setString(1, schema);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    reader.read(row);
                }
            }
        }
    }

    private static List<String> list(ResultSet row, int column) throws SQLException {
        return Arrays.asList((String[]) row.getArray(column).getArray());
    }
}
