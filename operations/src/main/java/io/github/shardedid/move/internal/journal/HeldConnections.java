package io.github.shardedid.move.internal.journal;

import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.SearchPath;
import io.github.shardedid.operations.internal.SessionLock;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connections of one piece of work, in autocommit mode and with the lock of the shard; returned with their settings restored. */
public final class HeldConnections implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HeldConnections.class);

    private record Held(Connection connection, boolean autoCommit, @Nullable SessionLock lock) {}

    private final Map<String, DataSource> databases;
    private final int shard;
    private final Map<String, Held> held = new TreeMap<>();

    public HeldConnections(Map<String, DataSource> databases, int shard) {
        this.databases = databases;
        this.shard = shard;
    }

    public DataSource data(String name) {
        DataSource data = databases.get(name);
        if (data == null) {
            throw new MoveRefusedException("There is no database " + name + ": configured are " + databases.keySet()
                    + ". Nothing was changed.");
        }
        return data;
    }

    /** Opens one without the lock. */
    Connection open(String name) throws SQLException {
        return open(name, false);
    }

    /** Opens one with the lock of the shard. */
    public Connection lock(String name) throws SQLException {
        return open(name, true);
    }

    /** One that was opened before. */
    public Connection held(String name) {
        return Objects.requireNonNull(held.get(name)).connection();
    }

    private Connection open(String name, boolean locking) throws SQLException {
        Connection connection = connect(name);
        boolean autoCommit = connection.getAutoCommit();
        boolean kept = false;
        try {
            connection.setAutoCommit(true);
            SearchPath.pin(connection);
            SessionLock lock = locking ? SessionLock.tryOnShard(connection, shard) : null;
            if (locking && lock == null) {
                throw new MoveRefusedException("Another process is at work on a move of shard " + shard
                        + ", or its session in database " + name + " has not ended yet. Nothing was changed.");
            }
            held.put(name, new Held(connection, autoCommit, lock));
            kept = true;
            return connection;
        } finally {
            if (!kept) {
                connection.close();
            }
        }
    }

    private Connection connect(String name) throws SQLException {
        try {
            return data(name).getConnection();
        } catch (SQLException e) {
            throw new SQLException("Database " + name + " cannot be reached: " + FailureReason.of(e), "08001", e);
        }
    }

    /** A connection that cannot be returned was lost before; the server releases the lock of its session. */
    @Override
    public void close() {
        held.forEach((name, one) -> {
            try (Connection connection = one.connection()) {
                if (!connection.isClosed()) {
                    if (one.lock() != null) {
                        one.lock().close();
                    }
                    SearchPath.release(connection);
                    connection.setAutoCommit(one.autoCommit());
                }
            } catch (SQLException e) {
                LOG.debug("Database {}: the connection is lost", name, e);
            }
        });
        held.clear();
    }
}
