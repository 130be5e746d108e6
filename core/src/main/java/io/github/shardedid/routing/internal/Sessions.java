package io.github.shardedid.routing.internal;

import java.sql.Connection;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What is known of the drivers' connections, for as long as these live. Safe for use by several threads. */
final class Sessions {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Connection, Session> sessions = new WeakHashMap<>();

    /**
     * What is known of a connection.
     *
     * @param session the driver's own connection below all proxies; if it is unknown, nothing is remembered
     */
    Session of(@Nullable Connection session) {
        if (session == null) {
            return new Session();
        }
        lock.lock();
        try {
            return sessions.computeIfAbsent(session, unseen -> new Session());
        } finally {
            lock.unlock();
        }
    }
}
