package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.internal.statement.DriverCall;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** One value made of those of several shards. Nulls do not count; of nothing but nulls it is null. */
interface MergedValue {
    void add(ResultSet rows, int column) throws SQLException;

    boolean isNull();

    /** What a getter of a result says; {@code arguments} begin with the column's number. */
    @Nullable
    Object read(Method getter, @Nullable Object[] arguments) throws Throwable;

    /** The least or greatest one, read from the result in which it is. */
    final class Extreme implements MergedValue {
        private final KeyType type;
        private final boolean greatest;
        private @Nullable Object best;
        private @Nullable ResultSet rows;
        private int column;
        private int row;

        Extreme(KeyType type, boolean greatest) {
            this.type = type;
            this.greatest = greatest;
        }

        @Override
        public void add(ResultSet from, int number) throws SQLException {
            Object value = type.value(from, number);
            boolean isNull = from.wasNull();
            if (rows == null || (!isNull && value != null && beats(value))) {
                best = isNull ? null : value;
                rows = from;
                column = number;
                row = from.getRow();
            }
        }

        private boolean beats(Object value) {
            Object champion = best;
            if (champion == null) {
                return true;
            }
            int result = type.order().compare(value, champion);
            return greatest ? result > 0 : result < 0;
        }

        @Override
        public boolean isNull() {
            return best == null;
        }

        @Override
        public @Nullable Object read(Method getter, @Nullable Object[] arguments) throws Throwable {
            ResultSet from = rows;
            if (from == null) {
                throw new SQLException("No shard has sent a value.");
            }
            from.absolute(row);
            arguments[0] = column;
            return DriverCall.forward(from, getter, arguments);
        }
    }

    /** Whether it is true anywhere. */
    final class Any implements MergedValue {
        private boolean any;

        @Override
        public void add(ResultSet rows, int column) throws SQLException {
            any |= rows.getBoolean(column);
        }

        @Override
        public boolean isNull() {
            return false;
        }

        @Override
        public Object read(Method getter, @Nullable Object[] arguments) throws SQLException {
            Object type = arguments.length > 1 ? arguments[1] : null;
            return switch (getter.getName()) {
                case "getBoolean" -> any;
                case "getString" -> any ? "t" : "f";
                case "getObject" -> {
                    if (type == null || type == Boolean.class || type == Object.class) {
                        yield any;
                    }
                    throw NumberReader.impossible(getter, "a truth value");
                }
                default -> throw NumberReader.impossible(getter, "a truth value");
            };
        }
    }

    /** A sum of whole numbers or a count: of type numeric if {@code exact}, else a bigint. */
    final class Sum implements MergedValue {
        private final boolean exact;
        private @Nullable Number sum;

        Sum(boolean exact) {
            this.exact = exact;
        }

        @Override
        public void add(ResultSet rows, int column) throws SQLException {
            Number next = exact ? rows.getBigDecimal(column) : (Number) rows.getLong(column);
            if (!rows.wasNull() && next != null) {
                Number before = sum;
                sum = before == null ? next : plus(before, next);
            }
        }

        private static Number plus(Number a, Number b) throws SQLException {
            if (a instanceof BigDecimal x && b instanceof BigDecimal y) {
                return x.add(y);
            }
            try {
                return Math.addExact(a.longValue(), b.longValue());
            } catch (ArithmeticException e) {
                throw new SQLException("The sum over the shards does not fit a bigint. Sum a numeric.", "22003", e);
            }
        }

        @Override
        public boolean isNull() {
            return sum == null;
        }

        @Override
        public @Nullable Object read(Method getter, @Nullable Object[] arguments) throws SQLException {
            return NumberReader.read(sum, getter, arguments);
        }
    }
}
