package io.github.shardedid.move;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Data sources all of whose connections die before (even moments) or after (odd ones) one of the statements or commits. */
final class DyingSources {
    private final Map<String, DataSource> sources = new TreeMap<>();
    private final AtomicInteger left;
    private final boolean after;

    DyingSources(Map<String, DataSource> raw, int moment) {
        left = new AtomicInteger(moment / 2);
        after = moment % 2 == 1;
        raw.forEach((name, source) -> sources.put(name, proxy(DataSource.class, source, (method, call) -> {
            die(false);
            Object result = call.run();
            return result instanceof Connection connection ? connection(connection) : result;
        })));
    }

    Map<String, DataSource> sources() {
        return sources;
    }

    boolean dead() {
        return left.get() < 0;
    }

    private void die(boolean now) throws SQLException {
        if (now || dead()) {
            throw new SQLException("killed", "08006");
        }
    }

    private Connection connection(Connection raw) {
        return proxy(Connection.class, raw, (method, call) -> {
            if (method.equals("close") || (method.equals("isClosed") && !dead())) {
                return call.run();
            }
            if (dead()) {
                raw.close();
                die(true);
            }
            Object result = method.equals("commit") ? counted(raw, call) : call.run();
            if (result instanceof PreparedStatement statement) {
                return proxy(PreparedStatement.class, statement, (name, use) -> use(raw, name, use));
            }
            return result instanceof Statement statement
                    ? proxy(Statement.class, statement, (name, use) -> use(raw, name, use))
                    : result;
        });
    }

    private Object use(Connection raw, String method, Call call) throws Throwable {
        return method.startsWith("execute") ? counted(raw, call) : call.run();
    }

    private Object counted(Connection raw, Call call) throws Throwable {
        boolean now = left.getAndDecrement() == 0;
        if (!now) {
            die(left.get() < -1);
            return call.run();
        }
        if (after) {
            call.run();
        }
        raw.close();
        throw new SQLException("killed", "08006");
    }

    private interface Call {
        Object run() throws Throwable;
    }

    private interface Around {
        Object call(String method, Call call) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, T raw, Around around) {
        return type.cast(Proxy.newProxyInstance(
                DyingSources.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> around.call(method.getName(), () -> {
                    try {
                        return method.invoke(raw, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                })));
    }
}
