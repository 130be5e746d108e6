package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.routing.internal.scatter.ScatterRun.Part;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import io.github.shardedid.routing.internal.sql.query.SortKey;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The order of rows by their sort keys, which are the last columns. Immutable.
 *
 * <p>Java compares what it compares as PostgreSQL does. For all other types, a database has sorted the keys of
 * all rows, and the order is that of the positions.
 *
 * @param firstColumn the number of the first key's column
 * @param keys the directions, one for each key
 * @param readers those of the keys if Java can merge by them; else empty
 * @param positions otherwise, where a database has put the rows of each statement; else empty
 */
record SortOrder(int firstColumn, List<SortKey> keys, List<Reader> readers, Map<Part, long[]> positions) {
    /**
     * Returns the order of a query's rows.
     *
     * @throws UnsupportedStatementException if a key's type has an order that neither Java nor a further statement
     *     can tell
     */
    static SortOrder of(ScatterQuery query, List<Part> parts, ServerMerge server) throws SQLException {
        ResultSetMetaData columns = parts.get(0).rows().getMetaData();
        boolean utf8 = parts.stream().allMatch(Part::utf8);
        int firstColumn = columns.getColumnCount() - query.keys().size() + 1;
        List<Reader> readers = new ArrayList<>();
        for (int i = 0; i < query.keys().size(); i++) {
            String type = columns.getColumnTypeName(firstColumn + i);
            Reader reader = reader(type);
            SortKey key = query.keys().get(i);
            if (reader == null || (ServerMerge.TEXTS.contains(type) && !(key.binary() && utf8))) {
                SortKey position = new SortKey(key.expression(), false, false, false);
                return new SortOrder(0, List.of(position), List.of(), server.positions(firstColumn));
            }
            readers.add(reader);
        }
        return new SortOrder(firstColumn, query.keys(), readers, Map.of());
    }

    /** Returns whether Java knows the order of a type of PostgreSQL's. */
    static boolean isKnown(String type) {
        return reader(type) != null;
    }

    /** Returns the keys of a statement's current row. */
    @Nullable
    Comparable<?>[] keysOf(Part part) throws SQLException {
        ResultSet rows = part.rows();
        long[] own = positions.get(part);
        if (own != null) {
            return new Comparable<?>[] {own[rows.getRow() - 1]};
        }
        @Nullable Comparable<?>[] values = new Comparable<?>[readers.size()];
        for (int i = 0; i < values.length; i++) {
            Comparable<?> value = readers.get(i).read(rows, firstColumn + i);
            values[i] = rows.wasNull() ? null : value;
        }
        return values;
    }

    /** Compares two rows by all keys. */
    int compare(@Nullable Comparable<?>[] a, @Nullable Comparable<?>[] b) {
        for (int i = 0; i < a.length; i++) {
            int result = compare(i, a[i], b[i]);
            if (result != 0) {
                return result;
            }
        }
        return 0;
    }

    /** Compares two rows by a key. Nulls are first or last, whatever the direction. */
    @SuppressWarnings("unchecked") // values of one column
    private int compare(int key, @Nullable Comparable<?> a, @Nullable Comparable<?> b) {
        if (a == null || b == null) {
            int nullFirst = a == b ? 0 : a == null ? -1 : 1;
            return keys.get(key).nullsFirst() ? nullFirst : -nullFirst;
        }
        int result = ((Comparable<Object>) a).compareTo(b);
        return keys.get(key).descending() ? -Integer.signum(result) : result;
    }

    /**
     * Returns how the values of a type are read whose order is that of whole numbers or of bytes, so that Java
     * can merge by them; null for all other types, by which a database merges. What is read is in Java's order
     * as it is in PostgreSQL's: bytes as hexadecimal digits, as Java's own orders of a UUID and of a text are
     * others. The driver returns the bytes of UTF-8 of a text, in whose order the collation "C" puts it.
     */
    private static @Nullable Reader reader(String type) {
        return switch (type) {
            case "int2", "int4", "int8", "oid", "serial", "bigserial", "smallserial" -> ResultSet::getLong;
            case "bool" -> ResultSet::getBoolean;
            case "date" -> (rows, column) -> rows.getObject(column, LocalDate.class);
            case "time" -> (rows, column) -> rows.getObject(column, LocalTime.class);
            case "timestamp" -> (rows, column) -> rows.getObject(column, LocalDateTime.class);
            case "timestamptz" ->
                (rows, column) -> {
                    OffsetDateTime time = rows.getObject(column, OffsetDateTime.class);
                    return time == null ? null : time.toInstant();
                };
            case "uuid" -> ResultSet::getString; // in lower case
            case "bytea", "text", "varchar", "name" ->
                (rows, column) -> {
                    byte[] bytes = rows.getBytes(column);
                    return bytes == null ? null : HexFormat.of().formatHex(bytes);
                };
            default -> null;
        };
    }

    /** Reads a column. The result for NULL is not used. */
    private interface Reader {
        @Nullable
        Comparable<?> read(ResultSet rows, int column) throws SQLException;
    }
}
