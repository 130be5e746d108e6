package io.github.shardedid.move;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/** Data sources whose servers say that they are of PostgreSQL 15, so that a mover without a superuser's rights applies the changes itself. */
final class OlderReleaseSources {
    private static final int RELEASE = 15;

    private OlderReleaseSources() {}

    static Map<String, DataSource> of(Map<String, DataSource> sources) {
        Map<String, DataSource> older = new TreeMap<>();
        sources.forEach((name, source) -> older.put(name, proxy(DataSource.class, source)));
        return older;
    }

    private static <T> T proxy(Class<T> type, T raw) {
        return type.cast(Proxy.newProxyInstance(
                OlderReleaseSources.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (method.getName().equals("getDatabaseMajorVersion")) {
                        return RELEASE;
                    }
                    try {
                        Object result = method.invoke(raw, arguments);
                        if (method.getName().equals("getConnection") && result instanceof Connection connection) {
                            return proxy(Connection.class, connection);
                        }
                        return result instanceof DatabaseMetaData meta ? proxy(DatabaseMetaData.class, meta) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                }));
    }
}
