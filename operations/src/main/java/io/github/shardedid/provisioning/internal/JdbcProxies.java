package io.github.shardedid.provisioning.internal;

import io.github.shardedid.operations.internal.Sql;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Creates proxies of JDBC objects, through which Flyway is lent an open connection and its statements are recorded. */
final class JdbcProxies {
    private JdbcProxies() {}

    /** An object whose calls are passed to the handler. Flyway loads the driver's classes by its class loader, for COPY. */
    static <T> T of(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(JdbcProxies.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Passes a call on to the real object. */
    static @Nullable Object proceed(Object real, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    /**
     * Lends one open connection again and again, so that Flyway needs no further ones and a pool of a single connection is enough.
     * Closing what is lent does nothing: the connection stays the caller's to close. Flyway asks a data source for connections only.
     *
     * @param role the current role of the session, which Flyway restores without escaping its name
     */
    static DataSource lending(Connection connection, String role) {
        String restoresRole = "SET ROLE '" + role + "'";
        Connection lent = of(Connection.class, (proxy, method, arguments) -> {
            if (method.getName().equals("prepareStatement")) {
                arguments[0] = restoresRole.equals(arguments[0]) ? "SET ROLE " + Sql.literal(role) : arguments[0];
            }
            Object result = method.getName().equals("close") ? null : proceed(connection, method, arguments);
            return result instanceof DatabaseMetaData meta ? withShortUrl(meta) : result;
        });
        return of(
                DataSource.class,
                (proxy, method, arguments) ->
                        method.getName().equals("getConnection") ? lent : proceed(connection, method, arguments));
    }

    /**
     * Flyway searches the URL for secrets by regular expressions, once for each schema. These take a tenth of a second for the
     * thousands of characters of a URL in which a data source writes all its properties.
     */
    private static DatabaseMetaData withShortUrl(DatabaseMetaData meta) {
        return of(DatabaseMetaData.class, (proxy, method, arguments) -> {
            Object result = proceed(meta, method, arguments);
            return method.getName().equals("getURL") && result != null
                    ? result.toString().replaceFirst("\\?.*", "")
                    : result;
        });
    }
}
