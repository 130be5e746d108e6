package io.github.shardedid.provisioning.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * An advisory lock of a database, held by a session so that it spans transactions, and freed by the server if the
 * session dies. Keeps instances that start at once from doing the same work twice.
 */
public final class SessionLock implements AutoCloseable {
    private static final int LOCK_CLASS = 1_768_842_084;

    private final Connection connection;
    private final int purpose;

    private SessionLock(Connection connection, int purpose) {
        this.connection = connection;
        this.purpose = purpose;
    }

    /** Held on the first database by name while a cluster is first provisioned. */
    public static SessionLock onCluster(Connection connection) throws SQLException {
        return take(connection, 1);
    }

    /** Held on each database while its shards' schemas are made and migrated. */
    public static SessionLock onDatabase(Connection connection) throws SQLException {
        return take(connection, 2);
    }

    /** The same, or null if another session holds it. */
    public static @Nullable SessionLock tryOnDatabase(Connection connection) throws SQLException {
        return tryTake(connection, 2);
    }

    /** Held on every database while the number of JVM nodes is being changed; null if another session holds it. */
    public static @Nullable SessionLock tryOnJvmNodes(Connection connection) throws SQLException {
        return tryTake(connection, 4);
    }

    private static @Nullable SessionLock tryTake(Connection connection, int purpose) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT pg_try_advisory_lock(?, ?)")) {
            statement.setInt(1, LOCK_CLASS);
            statement.setInt(2, purpose);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1) ? new SessionLock(connection, purpose) : null;
            }
        }
    }

    private static SessionLock take(Connection connection, int purpose) throws SQLException {
        call(connection, "SELECT pg_advisory_lock(?, ?)", purpose);
        return new SessionLock(connection, purpose);
    }

    @Override
    public void close() throws SQLException {
        if (!connection.isClosed()) {
            call(connection, "SELECT pg_advisory_unlock(?, ?)", purpose);
        }
    }

    private static void call(Connection connection, String sql, int purpose) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, LOCK_CLASS);
            statement.setInt(2, purpose);
            statement.execute();
        }
    }
}
