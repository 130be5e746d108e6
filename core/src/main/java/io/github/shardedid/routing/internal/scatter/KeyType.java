package io.github.shardedid.routing.internal.scatter;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The types whose values Java can put in PostgreSQL's order. */
@SuppressWarnings("ImmutableEnumChecker") // its functions keep nothing
enum KeyType {
    WHOLE(ResultSet::getLong),
    /** With NaN above infinity above all numbers; a number is exact. */
    DECIMAL((rows, column) -> Decimal.of(rows.getString(column))),
    /** Read as a float: the driver makes another double of its text than of its bytes. */
    REAL((rows, column) -> rows.getFloat(column) + 0.0f),
    /** To PostgreSQL, -0.0 equals 0.0. */
    FLOAT((rows, column) -> rows.getDouble(column) + 0.0),
    TRUTH(ResultSet::getBoolean),
    DATE((rows, column) -> rows.getObject(column, LocalDate.class)),
    TIME((rows, column) -> rows.getObject(column, LocalTime.class)),
    TIMESTAMP((rows, column) -> rows.getObject(column, LocalDateTime.class)),
    INSTANT((rows, column) -> rows.getObject(column, OffsetDateTime.class), OffsetDateTime.timeLineOrder()),
    /** By its bytes, where Java's own order takes them for signed. */
    UUID_((rows, column) -> rows.getObject(column, UUID.class), KeyType::compareUnsigned),
    BYTES(ResultSet::getBytes, Arrays::compareUnsigned),
    /** Text in the order of its bytes, which is that of the collation "C". */
    TEXT((rows, column) -> bytes(rows.getString(column)), Arrays::compareUnsigned),
    /** Text whose blanks at the end do not count. */
    PADDED((rows, column) -> bytes(withoutPadding(rows.getString(column))), Arrays::compareUnsigned);

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
            case "numeric" -> DECIMAL;
            case "float4" -> REAL;
            case "float8" -> FLOAT;
            case "bool" -> TRUTH;
            case "date" -> DATE;
            case "time" -> TIME;
            case "timestamp" -> TIMESTAMP;
            case "timestamptz" -> INSTANT;
            case "uuid" -> UUID_;
            case "bytea" -> BYTES;
            case "text", "varchar", "name" -> TEXT;
            case "bpchar" -> PADDED;
            default -> null;
        };
    }

    boolean isText() {
        return this == TEXT || this == PADDED;
    }

    /** The value of a column that is not null. */
    @Nullable
    Object value(ResultSet rows, int column) throws SQLException {
        return reader.read(rows, column);
    }

    /** The value as PostgreSQL reads it; of bytes that come in binary, the driver's own text is that of a Java object. */
    static @Nullable String text(String type, ResultSet rows, int column) throws SQLException {
        if (of(type) != BYTES) {
            return rows.getString(column);
        }
        byte[] bytes = rows.getBytes(column);
        return bytes == null ? null : "\\x" + HexFormat.of().formatHex(bytes);
    }

    /** How two values are ordered. */
    Comparator<Object> order() {
        return order;
    }

    private static byte @Nullable [] bytes(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private static @Nullable String withoutPadding(@Nullable String text) {
        return text == null ? null : text.replaceAll(" +\\z", "");
    }

    private static int compareUnsigned(UUID a, UUID b) {
        int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
    }

    /** A number of PostgreSQL's numeric; {@code rank} is 0 for a finite one. */
    record Decimal(int rank, BigDecimal number) implements Comparable<Decimal> {
        static @Nullable Decimal of(@Nullable String text) {
            return text == null
                    ? null
                    : switch (text) {
                        case "NaN" -> new Decimal(2, BigDecimal.ZERO);
                        case "Infinity" -> new Decimal(1, BigDecimal.ZERO);
                        case "-Infinity" -> new Decimal(-1, BigDecimal.ZERO);
                        default -> new Decimal(0, new BigDecimal(text));
                    };
        }

        @Override
        public int compareTo(Decimal other) {
            return rank != other.rank ? Integer.compare(rank, other.rank) : number.compareTo(other.number);
        }
    }
}
