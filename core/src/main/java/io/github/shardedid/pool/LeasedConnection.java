package io.github.shardedid.pool;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** A connection that ends its lease when it is closed. */
record LeasedConnection(Lease lease) implements InvocationHandler {
    static Connection of(Lease lease) {
        return (Connection) Proxy.newProxyInstance(
                LeasedConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new LeasedConnection(lease));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        return switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            case "close" -> {
                lease.close();
                yield null;
            }
            default -> forward(method, arguments);
        };
    }

    private @Nullable Object forward(Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(lease.connection(), arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
