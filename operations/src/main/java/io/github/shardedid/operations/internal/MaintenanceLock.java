package io.github.shardedid.operations.internal;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Keeps migrations and changes of {@code jvm-nodes} away from a database. Held by a session. */
public final class MaintenanceLock implements AutoCloseable {
    private final SessionLock schemas;
    private final SessionLock nodes;

    private MaintenanceLock(SessionLock schemas, SessionLock nodes) {
        this.schemas = schemas;
        this.nodes = nodes;
    }

    /** Takes the lock on a connection in autocommit mode; null if a migration or a change is at work. */
    public static @Nullable MaintenanceLock tryLock(Connection connection) throws SQLException {
        SessionLock schemas = SessionLock.tryOnDatabase(connection);
        if (schemas == null) {
            return null;
        }
        SessionLock nodes = SessionLock.tryOnJvmNodes(connection);
        if (nodes == null) {
            schemas.close();
            return null;
        }
        return new MaintenanceLock(schemas, nodes);
    }

    /** The session that is at work, in words; null if there is none. Takes no lock. */
    public static @Nullable String holder(Connection connection) throws SQLException {
        return SessionLock.holderOfMaintenance(connection);
    }

    @Override
    public void close() throws SQLException {
        try (schemas) {
            nodes.close();
        }
    }
}
