package io.github.shardedid.provisioning;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;

/** A connection that tells somebody of every call before it is made; its {@code close()} is told and not passed on. */
final class Wrapped {
    private Wrapped() {}

    interface Witness {
        void of(String method) throws SQLException;
    }

    static Connection connection(Connection raw, Witness witness) {
        return (Connection) Proxy.newProxyInstance(
                Wrapped.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    witness.of(method.getName());
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    try {
                        return method.invoke(raw, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }
}
