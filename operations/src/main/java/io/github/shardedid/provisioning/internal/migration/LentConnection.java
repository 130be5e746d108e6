package io.github.shardedid.provisioning.internal.migration;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Lends one open connection again and again, so that Flyway needs no further ones and a pool of a single connection is
 * enough. Closing what is lent does nothing.
 */
public final class LentConnection implements DataSource {
    private final Connection lent;

    /** Lends the connection, which stays the caller's to close. */
    public LentConnection(Connection connection) {
        this.lent = (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    Object result = method.getName().equals("close") ? null : invoke(connection, method, arguments);
                    return result instanceof DatabaseMetaData meta ? withShortUrl(meta) : result;
                });
    }

    /**
     * Flyway searches the URL for secrets by regular expressions, once for each schema. These take a tenth of a second for the
     * thousands of characters of a URL in which a data source writes all its properties.
     */
    private static DatabaseMetaData withShortUrl(DatabaseMetaData meta) {
        return (DatabaseMetaData) Proxy.newProxyInstance(
                DatabaseMetaData.class.getClassLoader(),
                new Class<?>[] {DatabaseMetaData.class},
                (proxy, method, arguments) -> {
                    Object result = invoke(meta, method, arguments);
                    return method.getName().equals("getURL") && result != null
                            ? result.toString().replaceFirst("\\?.*", "")
                            : result;
                });
    }

    private static @Nullable Object invoke(Object real, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    @Override
    public Connection getConnection() {
        return lent;
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("A lent connection has its user already");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLFeatureNotSupportedException("A lent connection is no " + type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
