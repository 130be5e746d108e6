package io.github.shardedid.routing.internal.session;

import io.github.shardedid.topology.CommonSchemas;
import java.sql.Connection;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;

/**
 * The sessions of the drivers' connections, for as long as these live. Safe for use by several threads.
 *
 * <p>Each transaction asks once: a cache with weak keys, which keeps a record of what is read, cost a find by
 * id 3 % of its time. Hence a lock and a {@code WeakHashMap}.
 */
public final class Sessions {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Connection, Session> sessions = new WeakHashMap<>();
    private final CommonSchemas commonSchemas;
    private final SettingCode settingCode = new SettingCode();
    private final NameCatalogs names;

    public Sessions(CommonSchemas commonSchemas) {
        this.commonSchemas = commonSchemas;
        this.names = new NameCatalogs(commonSchemas);
    }

    /** Returns the names that the catalogs of the databases have. */
    public NameCatalogs names() {
        return names;
    }

    /**
     * Returns what is known of a connection.
     *
     * @param driver the driver's own connection below all proxies; if it is unknown, nothing is remembered
     */
    public Session of(@Nullable BaseConnection driver) {
        if (driver == null) {
            return new Session(commonSchemas, settingCode, names);
        }
        lock.lock();
        try {
            return sessions.computeIfAbsent(driver, unseen -> new Session(commonSchemas, settingCode, names));
        } finally {
            lock.unlock();
        }
    }
}
