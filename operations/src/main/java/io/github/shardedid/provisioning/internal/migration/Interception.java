package io.github.shardedid.provisioning.internal.migration;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Intercepts the calls of JDBC objects. */
final class Interception {
    private Interception() {}

    /** An object whose calls are passed to the handler. Flyway loads the driver's classes by its class loader, for COPY. */
    static <T> T of(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(Interception.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Passes a call on to the real object. */
    static @Nullable Object proceed(Object real, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
