package io.github.shardedid.routing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Counts the connections that a thread asks a data source for, and those that other threads do. */
final class CountedSource {
    private final Thread caller = Thread.currentThread();
    private final AtomicInteger byCaller = new AtomicInteger();
    private final AtomicInteger byOthers = new AtomicInteger();

    DataSource of(DataSource source) {
        return (DataSource) Proxy.newProxyInstance(
                CountedSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getConnection")) {
                        (Thread.currentThread() == caller ? byCaller : byOthers).incrementAndGet();
                    }
                    try {
                        return method.invoke(source, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    int byCaller() {
        return byCaller.get();
    }

    int byOthers() {
        return byOthers.get();
    }
}
