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
 * A result that leads back to the routed statement, never to the physical one. Its end may be its statement's
 * end; and large objects are read within a transaction only, so that asking for one begins it where the query
 * was a non-transactional read.
 *
 * <p>An updatable result writes without a statement, so that it checks the rules itself.
 *
 * @param rows the driver's result
 * @param statement the application's proxy; null for a result that comes from none of its statements
 * @param giver where the result comes from
 */
record ResultFacade(ResultSet rows, @Nullable Statement statement, Giver giver) implements InvocationHandler {
    /** The origin of a result: a statement, or the metadata. It applies the rules to what a result does. */
    interface Giver {
        /**
         * Begins the transaction, if there is one: a value is about to be read that exists within a transaction
         * only.
         */
        default void transactionNeeded() throws SQLException {}

        /**
         * Prepares the session: the result, or a large object of it, is about to write, or to look at the
         * shard's tables.
         *
         * @param call the method of the application, for messages
         * @param writes whether it writes
         */
        default void beforeUse(String call, boolean writes) throws SQLException {}

        /** Checks a call of a method of a large object of the result. */
        default void beforeLargeObject(String call) throws SQLException {}

        /** Notes that the result is closed; also called when it was closed before. */
        void resultClosed() throws SQLException;

        /** Returns what to throw instead of a failure. */
        SQLException explain(SQLException failure);
    }

    /** Returns the result that the application receives. */
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

    /** Calls a method without arguments. None of these returns a value of a row. */
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
            default -> StatementFacade.given(DriverCall.forward(rows, method, arguments), statement, giver);
        };
    }

    private static boolean asksForLargeObject(@Nullable Object argument) {
        return argument instanceof Class<?> type && isLargeObject(type);
    }

    private static boolean isLargeObject(Class<?> type) {
        return type == Blob.class || type == Clob.class;
    }
}
