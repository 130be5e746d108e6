package io.github.shardedid.provisioning;

import io.github.shardedid.test.TestDatabase;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * Data sources that lose a connection just before or just after one of the commits, all databases taken together: whoever
 * uses them might as well have been killed there.
 */
final class KilledSources {
    private final Map<String, DataSource> sources = new TreeMap<>();
    private final AtomicInteger left;

    /** The first of the moments is 0. */
    KilledSources(Map<String, TestDatabase> databases, int moment) {
        left = new AtomicInteger(moment);
        databases.forEach((name, database) -> sources.put(name, source(database)));
    }

    Map<String, DataSource> sources() {
        return sources;
    }

    /** Whether the moment came. */
    boolean killed() {
        return left.get() < 0;
    }

    private DataSource source(TestDatabase database) {
        return (DataSource) Proxy.newProxyInstance(
                KilledSources.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> connection(database.connect()));
    }

    private Connection connection(Connection raw) {
        AtomicBoolean committed = new AtomicBoolean();
        return Wrapped.connection(raw, method -> {
            boolean commit = method.equals("commit");
            boolean moment = committed.getAndSet(commit) || commit;
            if (method.equals("close")) {
                raw.close();
            } else if (moment && left.getAndDecrement() == 0) {
                raw.close();
                throw new SQLException("killed", "08006");
            }
        });
    }
}
