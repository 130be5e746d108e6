package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.internal.scatter.ScatterRun.Part;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One row of counts over those that the shards have sent, which are added. A database could add them, too, but for one more round trip, which most
 * counts would be the only ones to pay. No driver has sent the row, so its getters are here; they convert as the driver does.
 */
final class MergedCounts extends MergedResult {
    private static final Map<Class<?>, Function<BigDecimal, Object>> READERS = Map.ofEntries(
            Map.entry(Object.class, BigDecimal::longValueExact),
            Map.entry(Number.class, BigDecimal::longValueExact),
            Map.entry(Long.class, BigDecimal::longValueExact),
            Map.entry(Integer.class, BigDecimal::intValueExact),
            Map.entry(Short.class, BigDecimal::shortValueExact),
            Map.entry(Byte.class, BigDecimal::byteValueExact),
            Map.entry(Double.class, BigDecimal::doubleValue),
            Map.entry(Float.class, BigDecimal::floatValue),
            Map.entry(BigDecimal.class, count -> count),
            Map.entry(BigInteger.class, BigDecimal::toBigIntegerExact),
            Map.entry(Boolean.class, count -> count.signum() != 0),
            Map.entry(String.class, BigDecimal::toPlainString));

    private final long[] counts;
    private boolean ended;

    MergedCounts(Object statement, ScatterRun run, List<Part> parts, ScatterBounds bounds) throws SQLException {
        super(statement, run, parts, 0);
        ended = bounds.offset() > 0 || bounds.wanted() == 0;
        counts = new long[first().getMetaData().getColumnCount()];
        for (Part part : parts) {
            while (part.rows().next()) {
                for (int i = 0; i < counts.length; i++) {
                    counts[i] += part.rows().getLong(i + 1);
                }
            }
        }
    }

    @Override
    boolean advance() {
        boolean found = !ended;
        ended = true;
        return found;
    }

    @Override
    Object read(Method method, @Nullable Object[] arguments) throws SQLException {
        Object asked = arguments[0];
        int column =
                asked instanceof String label ? first().findColumn(label) : asked instanceof Integer index ? index : 0;
        if (column < 1 || column > counts.length) {
            throw new SQLException("There is no column " + asked + ".", "22023");
        }
        Object wanted = arguments[arguments.length - 1];
        Class<?> type = method.getName().equals("getObject") && wanted instanceof Class<?> given
                ? given
                : method.getReturnType();
        Function<BigDecimal, Object> reader =
                READERS.get(MethodType.methodType(type).wrap().returnType());
        if (reader == null) {
            throw new SQLException(
                    method.getName() + " cannot read a count that was merged over several shards.", "0A000");
        }
        try {
            return reader.apply(BigDecimal.valueOf(counts[column - 1]));
        } catch (ArithmeticException e) {
            throw new SQLException(counts[column - 1] + " does not fit a " + type.getSimpleName() + ".", "22003", e);
        }
    }

    @Override
    boolean wasNull() {
        return false;
    }
}
