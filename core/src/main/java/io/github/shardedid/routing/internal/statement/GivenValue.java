package io.github.shardedid.routing.internal.statement;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A value of a row that goes on to use the connection: a large object, which writes as soon as it is called, or an array, which
 * gives results.
 */
record GivenValue(Object value, @Nullable Statement statement, ResultFacade.Giver giver) implements InvocationHandler {
    /** The value itself if it does not use the connection. */
    static @Nullable Object of(@Nullable Object value, @Nullable Statement statement, ResultFacade.Giver giver) {
        if (value == null || isOfCore(value.getClass())) {
            return value;
        } else if (value instanceof ResultSet rows) {
            return ResultFacade.of(rows, statement, giver);
        }
        Class<?> type = value instanceof Blob
                ? Blob.class
                : value instanceof Clob ? Clob.class : value instanceof Array ? Array.class : null;
        return type == null
                ? value
                : Proxy.newProxyInstance(
                        GivenValue.class.getClassLoader(),
                        new Class<?>[] {type},
                        new GivenValue(value, statement, giver));
    }

    /**
     * Whether a class is one of Java's core, such as {@code String}: none of them implements an interface of JDBC, which is in another
     * module. To ask each value of a result whether it does so took a sixth of the time of a query of twenty rows.
     */
    private static boolean isOfCore(Class<?> type) {
        return type.getClassLoader() == null;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        String name = method.getName();
        if (name.equals("equals")) {
            return arguments != null && proxy == arguments[0];
        }
        try {
            if (!(value instanceof Array) && !name.equals("free")) {
                giver.beforeLargeObject(name);
            }
            if (name.startsWith("set") || name.equals("truncate")) {
                giver.beforeUse(name, true);
            }
            return of(DriverCall.forward(value, method, arguments), statement, giver);
        } catch (SQLException e) {
            throw giver.explain(e);
        }
    }
}
