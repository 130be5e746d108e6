package io.github.shardedid.operations.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections to several databases, each in autocommit mode, with a pinned search path and a lock; returned with their settings restored.
 * The connections may come from a pool of the application: a search path, timeout or lock that stayed would reach its next user.
 */
public final class LockedConnections implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LockedConnections.class);

    /** A server that is silent does not delay its caller. */
    private static final int SILENCE_MILLIS = 5_000;

    /** The interval at which a server checks whether the process is still there, while a statement of it runs or waits, perhaps for hours. */
    private static final String WATCH = "SELECT pg_catalog.set_config('client_connection_check_interval', '2s', false)";

    private record Locked(Connection connection, boolean autoCommit, @Nullable SessionLock lock) {}

    /** Sorted by the name of the database. Has only connections whose lock is held. */
    private final Map<String, Locked> open = new TreeMap<>();

    /** Takes a lock on a database. */
    @FunctionalInterface
    public interface Locking {
        /** Returns null if another session holds the lock. */
        @Nullable
        SessionLock tryLock(Connection connection) throws SQLException;
    }

    /**
     * Takes over a connection and locks its database. From now on, this object closes the connection: at once if the lock is not obtained.
     *
     * @param busy creates the exception that is thrown if another session holds the lock
     * @throws SQLException if the connection fails; then, too, it is closed
     */
    public Connection add(
            String database, Connection connection, Locking locking, Supplier<? extends RuntimeException> busy)
            throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        SessionLock lock = null;
        try {
            connection.setAutoCommit(true);
            SearchPath.pin(connection);
            watch(database, connection);
            lock = locking.tryLock(connection);
        } finally {
            if (lock == null) {
                giveBack(database, new Locked(connection, autoCommit, null));
            }
        }
        if (lock == null) {
            throw busy.get();
        }
        open.put(database, new Locked(connection, autoCommit, lock));
        return connection;
    }

    /** Has the server watch the client: else the lock of a process that is killed during a statement is kept until that statement ends. */
    private static void watch(String database, Connection connection) throws SQLException {
        try {
            Sql.rows(connection, WATCH);
        } catch (SQLException e) {
            if (Interruption.is(e)) {
                throw e;
            }
            LOG.debug("Database {}: its operating system does not tell that a client has gone", database, e);
        }
    }

    /** Returns a connection that was added before. */
    public Connection of(String database) {
        return Objects.requireNonNull(open.get(database)).connection();
    }

    /** Returns the connections by the names of the databases, in alphabetical order. */
    public Map<String, Connection> all() {
        Map<String, Connection> all = new TreeMap<>();
        open.forEach((database, locked) -> all.put(database, locked.connection()));
        return all;
    }

    @Override
    public void close() {
        open.forEach(LockedConnections::giveBack);
        open.clear();
    }

    /** A connection that cannot be returned was lost before; the server releases the lock of its session. */
    private static void giveBack(String database, Locked locked) {
        try (Connection connection = locked.connection()) {
            if (!connection.isClosed()) {
                int before = connection.getNetworkTimeout();
                connection.setNetworkTimeout(Runnable::run, SILENCE_MILLIS);
                if (locked.lock() != null) {
                    locked.lock().close();
                }
                SearchPath.release(connection);
                Sql.execute(connection, "RESET client_connection_check_interval");
                connection.setAutoCommit(locked.autoCommit());
                connection.setNetworkTimeout(Runnable::run, before);
            }
        } catch (SQLException e) {
            LOG.debug("Database {}: the connection is lost", database, e);
        }
    }
}
