package io.github.shardedid.move;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Data sources all of whose connections die before or after the first statement with some text. */
final class SourcesDyingAt {
    private final Map<String, DataSource> sources = new TreeMap<>();
    private final String text;
    private final boolean after;
    private volatile boolean dead;

    SourcesDyingAt(Map<String, DataSource> raw, String text, boolean after) {
        this.text = text;
        this.after = after;
        raw.forEach((name, source) -> sources.put(name, proxy(DataSource.class, source, null, null)));
    }

    Map<String, DataSource> sources() {
        return sources;
    }

    boolean dead() {
        return dead;
    }

    private <T> T proxy(Class<T> type, T raw, @Nullable Connection connection, @Nullable String prepared) {
        return type.cast(Proxy.newProxyInstance(
                SourcesDyingAt.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    String sql = arguments != null && arguments.length > 0 && arguments[0] instanceof String given
                            ? given
                            : prepared;
                    boolean last = method.getName().startsWith("execute") && sql != null && sql.contains(text);
                    if (method.getName().equals("close") || (method.getName().equals("isClosed") && !dead)) {
                        return method.invoke(raw, arguments);
                    }
                    if (dead || (last && !after)) {
                        die(raw instanceof Connection open ? open : connection);
                    }
                    try {
                        Object result = method.invoke(raw, arguments);
                        if (last) {
                            die(connection);
                        }
                        return method.getName().equals("unwrap") ? result : wrapped(result, raw, sql);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                }));
    }

    private @Nullable Object wrapped(@Nullable Object result, Object raw, @Nullable String sql) {
        if (result instanceof Connection connection) {
            return proxy(Connection.class, connection, connection, null);
        }
        if (result instanceof PreparedStatement statement) {
            return proxy(PreparedStatement.class, statement, (Connection) raw, sql);
        }
        return result instanceof Statement statement
                ? proxy(Statement.class, statement, (Connection) raw, null)
                : result;
    }

    private void die(@Nullable Connection connection) throws SQLException {
        dead = true;
        if (connection != null) {
            connection.close();
        }
        throw new SQLException("killed", "08006");
    }
}
