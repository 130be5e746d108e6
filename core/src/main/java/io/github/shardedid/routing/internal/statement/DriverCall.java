package io.github.shardedid.routing.internal.statement;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Calls a method of an object of the driver by reflection, and throws what that throws, without the wrapper of
 * reflection: an application catches {@code SQLException}s.
 */
public final class DriverCall {
    private DriverCall() {}

    /** Passes on a call of a method of JDBC, which throws no other checked exception. */
    public static @Nullable Object invoke(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws SQLException {
        try {
            return forward(target, method, arguments);
        } catch (SQLException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new SQLException(e);
        }
    }

    /**
     * Passes on a call.
     *
     * @param target the object of the driver; null for a statement that has not been sent to any database
     */
    public static @Nullable Object forward(
            @Nullable Object target, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        if (target == null) {
            throw new SQLException("No SQL has been executed yet: the statement is not bound to a database.");
        }
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
