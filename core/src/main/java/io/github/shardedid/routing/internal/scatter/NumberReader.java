package io.github.shardedid.routing.internal.scatter;

import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What the getters of a result say of a whole number that no driver has sent. */
final class NumberReader {
    private NumberReader() {}

    static SQLException impossible(Method getter, String what) {
        return new SQLException(
                getter.getName() + " cannot read " + what + " that was merged over several shards.", "0A000");
    }

    static @Nullable Object read(@Nullable Number value, Method getter, @Nullable Object[] arguments)
            throws SQLException {
        Object wanted = arguments.length > 1 ? arguments[1] : null;
        Class<?> type = getter.getName().equals("getObject") && wanted instanceof Class<?> given
                ? given
                : getter.getReturnType();
        if (value == null) {
            return type.isPrimitive() ? convert(0L, primitive(type), getter) : null;
        }
        return convert(value, primitive(type), getter);
    }

    private static Class<?> primitive(Class<?> type) {
        return MethodType.methodType(type).wrap().returnType();
    }

    private static Object convert(Number value, Class<?> type, Method getter) throws SQLException {
        try {
            if (type == Object.class || type == Number.class || type.isInstance(value)) {
                return value;
            } else if (type == String.class) {
                return value.toString();
            } else if (type == Double.class) {
                return value.doubleValue();
            } else if (type == Float.class) {
                return value.floatValue();
            } else if (type == BigDecimal.class) {
                return exact(value);
            }
            return whole(exact(value).toBigInteger(), type, getter);
        } catch (ArithmeticException e) {
            throw new SQLException(value + " does not fit a " + type.getSimpleName() + ".", "22003", e);
        }
    }

    private static BigDecimal exact(Number value) {
        return value instanceof BigDecimal decimal ? decimal : BigDecimal.valueOf(value.longValue());
    }

    private static Object whole(BigInteger value, Class<?> type, Method getter) throws SQLException {
        if (type == Long.class) {
            return value.longValueExact();
        } else if (type == Integer.class) {
            return value.intValueExact();
        } else if (type == Short.class) {
            return value.shortValueExact();
        } else if (type == Byte.class) {
            return value.byteValueExact();
        } else if (type == BigInteger.class) {
            return value;
        } else if (type == Boolean.class) {
            return value.signum() != 0;
        }
        throw impossible(getter, "a number");
    }
}
