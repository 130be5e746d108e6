package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.UnmergeableQueryException;
import io.github.shardedid.routing.internal.scatter.ScatterRun.Part;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import io.github.shardedid.routing.internal.sql.query.SortKey;
import java.nio.charset.StandardCharsets;
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
 * @param types those of the keys if Java can merge by them
 * @param positions otherwise, where a database has put the rows of each statement; else empty
 */
record SortOrder(int firstColumn, List<SortKey> keys, List<KeyType> types, Map<Part, long[]> positions) {
    /**
     * Returns the order of a query's rows.
     *
     * @throws UnmergeableQueryException if a key's type has an order that neither Java nor a further statement
     *     can tell
     */
    static SortOrder of(ScatterQuery query, List<Part> parts, ServerMerge server) throws SQLException {
        ResultSetMetaData columns = parts.get(0).rows().getMetaData();
        boolean utf8 = parts.stream().allMatch(Part::utf8);
        int firstColumn = columns.getColumnCount() - query.keys().size() + 1;
        List<KeyType> types = new ArrayList<>();
        for (int i = 0; i < query.keys().size(); i++) {
            KeyType type = KeyType.of(columns.getColumnTypeName(firstColumn + i));
            SortKey key = query.keys().get(i);
            if (type == null || (type == KeyType.TEXT && !(key.binary() && utf8))) {
                SortKey position = new SortKey(key.expression(), false, false, false);
                return new SortOrder(0, List.of(position), List.of(KeyType.WHOLE), server.positions(firstColumn));
            }
            types.add(type);
        }
        return new SortOrder(firstColumn, query.keys(), types, Map.of());
    }

    /** Returns whether Java knows the order of a type of PostgreSQL's. */
    static boolean isKnown(String type) {
        return KeyType.of(type) != null;
    }

    /** Returns the keys of a statement's current row. */
    @Nullable
    Comparable<?>[] keysOf(Part part) throws SQLException {
        ResultSet rows = part.rows();
        long[] own = positions.get(part);
        if (own != null) {
            return new Comparable<?>[] {own[rows.getRow() - 1]};
        }
        @Nullable Comparable<?>[] values = new Comparable<?>[types.size()];
        for (int i = 0; i < values.length; i++) {
            Comparable<?> value = types.get(i).reader.read(rows, firstColumn + i);
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
     * The types whose order is that of whole numbers or of bytes, so that Java can merge by them; a database
     * merges by all others. What is read is in Java's order as it is in PostgreSQL's: bytes as hexadecimal
     * digits, as Java's own orders of a UUID and of a text are others.
     */
    @SuppressWarnings("ImmutableEnumChecker") // its functions keep nothing
    private enum KeyType {
        WHOLE(ResultSet::getLong),
        TRUTH(ResultSet::getBoolean),
        DATE((rows, column) -> rows.getObject(column, LocalDate.class)),
        TIME((rows, column) -> rows.getObject(column, LocalTime.class)),
        TIMESTAMP((rows, column) -> rows.getObject(column, LocalDateTime.class)),
        INSTANT((rows, column) -> {
            OffsetDateTime time = rows.getObject(column, OffsetDateTime.class);
            return time == null ? null : time.toInstant();
        }),
        /** The driver writes it in lower case. */
        UUID(ResultSet::getString),
        BYTES((rows, column) -> digits(rows.getBytes(column))),
        /** The order of the collation "C" is that of the bytes of UTF-8. */
        TEXT((rows, column) -> {
            String text = rows.getString(column);
            return text == null ? null : digits(text.getBytes(StandardCharsets.UTF_8));
        });

        private final Reader reader;

        KeyType(Reader reader) {
            this.reader = reader;
        }

        /** Reads a column. The result for NULL is not used. */
        private interface Reader {
            @Nullable
            Comparable<?> read(ResultSet rows, int column) throws SQLException;
        }

        /** Returns the type of a name of PostgreSQL's; null if its order is not known here. */
        static @Nullable KeyType of(String name) {
            return switch (name) {
                case "int2", "int4", "int8", "oid", "serial", "bigserial", "smallserial" -> WHOLE;
                case "bool" -> TRUTH;
                case "date" -> DATE;
                case "time" -> TIME;
                case "timestamp" -> TIMESTAMP;
                case "timestamptz" -> INSTANT;
                case "uuid" -> UUID;
                case "bytea" -> BYTES;
                case "text", "varchar", "name" -> TEXT;
                default -> null;
            };
        }

        private static @Nullable String digits(byte @Nullable [] bytes) {
            return bytes == null ? null : HexFormat.of().formatHex(bytes);
        }
    }
}
