package io.github.shardedid.routing.internal.statement;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A result that leads back to the routed statement, never to the physical one. Its end may be its statement's end; and large
 * objects are read within a transaction only, so that asking for one begins it where the query was a non-transactional read.
 */
record ResultFacade(ResultSet rows, @Nullable Statement statement, Giver giver) implements InvocationHandler {
    /** What gave the result. */
    interface Giver {
        /** A value that can be had within a transaction only is about to be asked for. */
        default void transactionNeeded() throws SQLException {}

        /** The result, or a large object of it, is about to write, or to look at the shard's tables. */
        default void beforeUse(String call, boolean writes) throws SQLException {}

        /** A method of a large object of the result is about to be called. */
        default void beforeLargeObject(String call) throws SQLException {}

        /** The result is closed; also called when it was closed before. */
        void resultClosed() throws SQLException;

        /** What to throw instead of a failure. */
        SQLException explain(SQLException failure);
    }

    /** The statement is the application's proxy, or null for a result that comes from none of its statements. */
    static ResultSet of(ResultSet rows, @Nullable Statement statement, Giver giver) {
        return (ResultSet) Proxy.newProxyInstance(
                ResultFacade.class.getClassLoader(),
                new Class<?>[] {ResultSet.class},
                new ResultFacade(rows, statement, giver));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return arguments == null ? ask(method) : ask(proxy, method, arguments);
        } catch (SQLException e) {
            throw giver.explain(e);
        }
    }

    private @Nullable Object ask(Method method) throws Throwable {
        return switch (method.getName()) {
            case "getStatement" -> {
                if (rows.isClosed()) {
                    throw new SQLException("The result is closed.", "55000");
                }
                yield statement;
            }
            case "hashCode" -> System.identityHashCode(this);
            case "close" -> {
                rows.close();
                giver.resultClosed();
                yield null;
            }
            case "insertRow", "updateRow", "deleteRow" -> {
                giver.beforeUse(method.getName(), true);
                yield DriverCall.forward(rows, method, null);
            }
            case "refreshRow" -> {
                giver.beforeUse(method.getName(), false);
                yield DriverCall.forward(rows, method, null);
            }
            default -> DriverCall.forward(rows, method, null);
        };
    }

    private @Nullable Object ask(Object proxy, Method method, @Nullable Object[] arguments) throws Throwable {
        if (isLargeObject(method.getReturnType()) || (arguments.length == 2 && asksForLargeObject(arguments[1]))) {
            giver.transactionNeeded();
        }
        return switch (method.getName()) {
            case "equals" -> proxy == arguments[0];
            case "isWrapperFor" -> Unwrapping.isPossible(proxy, arguments[0]);
            case "unwrap" -> Unwrapping.of(proxy, arguments[0]);
            default -> GivenValue.of(DriverCall.forward(rows, method, arguments), statement, giver);
        };
    }

    private static boolean asksForLargeObject(@Nullable Object argument) {
        return argument instanceof Class<?> type && isLargeObject(type);
    }

    private static boolean isLargeObject(Class<?> type) {
        return type == Blob.class || type == Clob.class;
    }
}
