package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.UnmergeableQueryException;
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
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The order of rows by their sort keys, which are the last columns. Immutable.
 *
 * @param types those of the keys if Java can merge by them
 * @param positions else, where a database has put the rows of each statement
 */
record SortOrder(int firstColumn, List<SortKey> keys, List<KeyType> types, Map<ScatterRun.Part, long[]> positions) {
    /**
     * Returns the order of a query's rows.
     *
     * @throws UnmergeableQueryException if a key's type has an order that neither Java nor a further statement can tell
     */
    static SortOrder of(ScatterQuery query, List<ScatterRun.Part> parts, ServerMerge server) throws SQLException {
        ResultSetMetaData columns = parts.get(0).rows().getMetaData();
        boolean utf8 = parts.stream().allMatch(ScatterRun.Part::utf8);
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
    Object[] keysOf(ScatterRun.Part part) throws SQLException {
        ResultSet rows = part.rows();
        long[] own = positions.get(part);
        if (own != null) {
            return new @Nullable Object[] {own[rows.getRow() - 1]};
        }
        @Nullable Object[] values = new @Nullable Object[types.size()];
        for (int i = 0; i < values.length; i++) {
            Object value = types.get(i).value(rows, firstColumn + i);
            values[i] = rows.wasNull() ? null : value;
        }
        return values;
    }

    int compare(@Nullable Object[] a, @Nullable Object[] b) {
        for (int i = 0; i < a.length; i++) {
            int result = compare(i, a[i], b[i]);
            if (result != 0) {
                return result;
            }
        }
        return 0;
    }

    private int compare(int key, @Nullable Object a, @Nullable Object b) {
        if (a == null || b == null) {
            int nullFirst = a == b ? 0 : a == null ? -1 : 1;
            return keys.get(key).nullsFirst() ? nullFirst : -nullFirst;
        }
        Comparator<Object> order = types.get(key).order();
        return keys.get(key).descending() ? order.compare(b, a) : order.compare(a, b);
    }

    /** The types whose order is that of whole numbers or of bytes, so that Java can merge by them. A database merges by all others. */
    @SuppressWarnings("ImmutableEnumChecker") // its functions keep nothing
    private enum KeyType {
        WHOLE(ResultSet::getLong),
        TRUTH(ResultSet::getBoolean),
        DATE((rows, column) -> rows.getObject(column, LocalDate.class)),
        TIME((rows, column) -> rows.getObject(column, LocalTime.class)),
        TIMESTAMP((rows, column) -> rows.getObject(column, LocalDateTime.class)),
        INSTANT((rows, column) -> rows.getObject(column, OffsetDateTime.class), OffsetDateTime.timeLineOrder()),
        /** By its bytes, where Java's own order takes them for signed. */
        UUID_((rows, column) -> rows.getObject(column, UUID.class), KeyType::compareUnsigned),
        BYTES(ResultSet::getBytes, Arrays::compareUnsigned),
        /** Text in the order of its bytes, which is that of the collation "C" in UTF-8. */
        TEXT((rows, column) -> bytes(rows.getString(column)), Arrays::compareUnsigned);

        private final Reader<?> reader;
        private final Comparator<Object> order;

        <T extends Comparable<? super T>> KeyType(Reader<T> reader) {
            this(reader, Comparator.naturalOrder());
        }

        @SuppressWarnings("unchecked") // it compares what the reader has read
        <T> KeyType(Reader<T> reader, Comparator<? super T> order) {
            this.reader = reader;
            this.order = (Comparator<Object>) order;
        }

        /** Reads a column; what it returns for NULL is not used. */
        private interface Reader<T extends @Nullable Object> {
            @Nullable
            T read(ResultSet rows, int column) throws SQLException;
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
                case "uuid" -> UUID_;
                case "bytea" -> BYTES;
                case "text", "varchar", "name" -> TEXT;
                default -> null;
            };
        }

        /** Returns the value of a column that is not null. */
        @Nullable
        Object value(ResultSet rows, int column) throws SQLException {
            return reader.read(rows, column);
        }

        /** Returns the order of two values. */
        Comparator<Object> order() {
            return order;
        }

        private static byte @Nullable [] bytes(@Nullable String text) {
            return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
        }

        private static int compareUnsigned(UUID a, UUID b) {
            int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
            return high != 0 ? high : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
        }
    }
}
