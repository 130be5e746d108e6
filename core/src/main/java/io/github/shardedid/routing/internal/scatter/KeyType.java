package io.github.shardedid.routing.internal.scatter;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Comparator;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The types whose order is that of whole numbers or of bytes, so that Java can merge by them. A database merges by all others. */
@SuppressWarnings("ImmutableEnumChecker") // its functions keep nothing
enum KeyType {
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

    /** The type of a name of PostgreSQL's; null if its order is not known here. */
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

    /** The value of a column that is not null. */
    @Nullable
    Object value(ResultSet rows, int column) throws SQLException {
        return reader.read(rows, column);
    }

    /** How two values are ordered. */
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
