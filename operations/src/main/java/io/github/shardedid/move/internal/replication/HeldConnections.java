package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveRefusedException.Reason;
import io.github.shardedid.operations.internal.DirectSession;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.SearchPath;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections that work on the moves of a shard or on a plan, each in autocommit mode, with a pinned search path and the lock of that
 * work; returned with their settings restored. The connections may come from a pool of the application: a search path, timeout or lock
 * that stayed would reach its next user.
 */
public final class HeldConnections implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HeldConnections.class);

    /** A server that is silent does not delay its caller. */
    private static final int SILENCE_MILLIS = 5_000;

    /** The interval at which a server checks whether the process is still there, while a statement of it runs or waits, perhaps for hours. */
    private static final String WATCH = "SELECT pg_catalog.set_config('client_connection_check_interval', '2s', false)";

    private final Map<String, DataSource> databases;
    private final SessionLock.Purpose purpose;
    private final String work;

    /** By the name of the database. Has only connections whose lock is held. */
    private final Map<String, Held> open = new TreeMap<>();

    /** A connection, and its settings before. */
    private record Held(Connection connection, boolean autoCommit, int silence, @Nullable SessionLock lock) {}

    /** For a plan, or by {@link #ofShard} for the moves of a shard. */
    public HeldConnections(Map<String, DataSource> databases, SessionLock.Purpose purpose, String work) {
        this.databases = databases;
        this.purpose = purpose;
        this.work = work;
    }

    public static HeldConnections ofShard(Map<String, DataSource> databases, int shard) {
        return new HeldConnections(databases, SessionLock.ofShard(shard), "a move of shard " + shard);
    }

    public DataSource data(String name) {
        return data(databases, name);
    }

    /** The database of a name, which an operator may have mistyped. */
    public static DataSource data(Map<String, DataSource> databases, String name) {
        DataSource data = databases.get(name);
        if (data == null) {
            throw new MoveRefusedException("There is no database " + name + ": configured are " + databases.keySet()
                    + ". Nothing was changed.");
        }
        return data;
    }

    /** Opens one with the lock; closes it at once if another session holds the lock, or if it fails. */
    public Connection lock(String name) throws SQLException {
        Connection connection = connect(name);
        Held held = new Held(connection, connection.getAutoCommit(), connection.getNetworkTimeout(), null);
        SessionLock lock = null;
        try {
            connection.setAutoCommit(true);
            SearchPath.pin(connection);
            watch(name, connection);
            lock = SessionLock.tryTake(connection, purpose);
            if (lock == null) {
                String holder = SessionLock.holder(connection, purpose);
                throw new MoveRefusedException(
                        Reason.DEFERRED,
                        "Another process is at work on " + work + ", or its session in database " + name
                                + " has not ended yet" + (holder == null ? "" : ": " + holder)
                                + ". Nothing was changed.");
            }
            open.put(name, new Held(connection, held.autoCommit, held.silence, lock));
            return connection;
        } finally {
            if (lock == null) {
                giveBack(name, held);
            }
        }
    }

    /** One that was opened before. */
    public Connection held(String name) {
        return Objects.requireNonNull(open.get(name)).connection();
    }

    private Connection connect(String name) throws SQLException {
        DataSource data = data(name);
        Connection connection;
        try {
            connection = data.getConnection();
        } catch (SQLException | RuntimeException e) { // unchecked, too: pools have exceptions of their own
            String reason = FailureReason.of(e);
            SQLException unreached = new SQLException("Database " + name + " cannot be reached: " + reason, "08001");
            unreached.addSuppressed(e); // Not as its cause: the innermost message would be reported.
            throw unreached;
        }
        try {
            DirectSession.obstacle(name, connection, "a move needs").ifPresent(pooled -> {
                throw new MoveRefusedException(pooled + " Nothing was changed.");
            });
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Has the server watch the client: else the lock of a process that is killed during a statement is kept until that statement ends. */
    private static void watch(String database, Connection connection) throws SQLException {
        try {
            Sql.rows(connection, WATCH);
        } catch (SQLException e) {
            if (FailureReason.isInterruption(e)) {
                throw e;
            }
            LOG.debug("Database {}: its operating system does not tell that a client has gone", database, e);
        }
    }

    @Override
    public void close() {
        open.forEach(HeldConnections::giveBack);
        open.clear();
    }

    /** A connection that cannot be returned was lost before; the server releases the lock of its session. */
    private static void giveBack(String database, Held held) {
        try (Connection connection = held.connection) {
            if (!connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, SILENCE_MILLIS);
                if (held.lock != null) {
                    held.lock.close();
                }
                SearchPath.release(connection);
                Sql.execute(connection, "RESET client_connection_check_interval");
                connection.setAutoCommit(held.autoCommit);
                connection.setNetworkTimeout(Runnable::run, held.silence);
            }
        } catch (SQLException e) {
            LOG.debug("Database {}: the connection is lost", database, e);
        }
    }
}
