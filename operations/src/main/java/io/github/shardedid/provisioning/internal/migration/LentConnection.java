package io.github.shardedid.provisioning.internal.migration;

import java.io.PrintWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
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
        this.lent = proxy(
                Connection.class,
                connection,
                (name, result) -> result instanceof DatabaseMetaData meta ? withShortUrl(meta) : result);
    }

    /**
     * Flyway searches the URL for secrets by regular expressions, once for each schema. These take a tenth of a second for the
     * thousands of characters of a URL in which a data source writes all its properties.
     */
    private static DatabaseMetaData withShortUrl(DatabaseMetaData meta) {
        return proxy(
                DatabaseMetaData.class,
                meta,
                (name, result) -> name.equals("getURL") ? String.valueOf(result).replaceFirst("\\?.*", "") : result);
    }

    private interface Change {
        @Nullable
        Object of(String method, @Nullable Object result);
    }

    private static <T> T proxy(Class<T> type, T real, Change change) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals("close")) {
                return null;
            }
            try {
                return change.of(method.getName(), method.invoke(real, arguments));
            } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
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
