package io.github.shardedid.routing.internal.statement;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Calls a method of an object of the driver. */
public final class DriverCall {
    private DriverCall() {}

    /** Passes a call of JDBC's on, which fails with no other checked exception. */
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

    /** Passes a call on; null is a statement that has not been sent to any database. */
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
