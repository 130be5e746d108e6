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
 * A value of a row that continues to use the connection: a large object, which writes as soon as it is called,
 * or an array, which gives results.
 *
 * <p>The driver's own object would write past the rules: a {@code Blob} of a query writes into the database
 * without a statement. So it is a proxy, which checks each write as a statement is checked.
 *
 * @param value the driver's object
 * @param statement the application's statement, to which results lead back; null if there is none
 * @param giver where the value comes from, which applies the rules
 */
record GivenValue(Object value, @Nullable Statement statement, ResultFacade.Giver giver) implements InvocationHandler {
    /** Returns what the application receives for a value: itself, if it does not use the connection. */
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
     * Returns whether a class is one of Java's core, such as {@code String}: none of them implements an
     * interface of JDBC, which is in another module. To ask each value of a result whether it does so took a
     * sixth of the time of a query of twenty rows.
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
