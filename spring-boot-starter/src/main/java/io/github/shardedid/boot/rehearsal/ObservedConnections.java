package io.github.shardedid.boot.rehearsal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Connections that notify of the statements that are executed, just before. Nothing else differs from the connections of the pool.
 *
 * @param executed receives the text, and the connection of the pool
 */
record ObservedConnections(BiConsumer<String, Connection> executed) {
    Connection of(Connection connection) {
        return proxy(Connection.class, (proxy, method, arguments) -> {
            Object result = invoke(connection, method, arguments);
            if (!(result instanceof Statement statement)) {
                return result;
            }
            String sql = arguments != null && arguments.length > 0 && arguments[0] instanceof String text ? text : null;
            return statement((Connection) proxy, connection, statement, sql);
        });
    }

    private Statement statement(Connection owner, Connection pooled, Statement statement, @Nullable String prepared) {
        Class<? extends Statement> type = statement instanceof CallableStatement
                ? CallableStatement.class
                : statement instanceof PreparedStatement ? PreparedStatement.class : Statement.class;
        return proxy(type, (proxy, method, arguments) -> {
            if (method.getName().equals("getConnection")) {
                return owner;
            }
            boolean given = arguments != null && arguments.length > 0 && arguments[0] instanceof String;
            boolean executes = method.getName().startsWith("execute");
            if (given && (executes || method.getName().equals("addBatch"))) {
                executed.accept((String) arguments[0], pooled);
            } else if (executes && prepared != null) {
                executed.accept(prepared, pooled);
            }
            return invoke(statement, method, arguments);
        });
    }

    private static @Nullable Object invoke(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(ObservedConnections.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
