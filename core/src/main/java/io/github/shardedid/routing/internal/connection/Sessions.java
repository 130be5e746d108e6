package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.topology.CommonSchemas;
import java.sql.Connection;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;

/** What is known of the drivers' connections, for as long as these live. Safe for use by several threads. */
public final class Sessions {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Connection, Session> sessions = new WeakHashMap<>();
    private final CommonSchemas commonSchemas;

    public Sessions(CommonSchemas commonSchemas) {
        this.commonSchemas = commonSchemas;
    }

    /**
     * What is known of a connection.
     *
     * @param session the driver's own connection below all proxies; if it is unknown, nothing is remembered
     */
    Session of(@Nullable BaseConnection session) {
        if (session == null) {
            return new Session(commonSchemas, null);
        }
        lock.lock();
        try {
            return sessions.computeIfAbsent(session, unseen -> new Session(commonSchemas, session));
        } finally {
            lock.unlock();
        }
    }
}
