package io.github.shardedid.provisioning.internal.nodes;

import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.SearchPath;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.provisioning.DatabasesUnreachableException;
import io.github.shardedid.provisioning.JvmNodesChangeRefusedException;
import io.github.shardedid.provisioning.MissingPrivilegeException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection to every database, each in autocommit mode and with the lock for a change of the number of JVM nodes. */
final class LockedDatabases implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LockedDatabases.class);

    private record Locked(Connection connection, boolean autoCommit, SessionLock lock) {}

    private final Map<String, Locked> open = new TreeMap<>();

    private LockedDatabases() {}

    /**
     * Opens all, or none.
     *
     * @throws DatabasesUnreachableException naming those that cannot be reached
     * @throws JvmNodesChangeRefusedException if another run has a lock
     */
    static LockedDatabases open(Map<String, ? extends DataSource> databases) {
        LockedDatabases opened = new LockedDatabases();
        boolean complete = false;
        try {
            Map<String, String> unreachable = new TreeMap<>();
            databases.forEach((name, source) -> {
                try {
                    opened.add(name, source.getConnection());
                } catch (JvmNodesChangeRefusedException e) {
                    throw e;
                } catch (SQLException | RuntimeException e) {
                    if (e instanceof SQLException refused && "42501".equals(refused.getSQLState())) {
                        throw new MissingPrivilegeException("The user of database " + name
                                + " does not own schema sharded_id: " + FailureReason.of(e)
                                + ". Change jvm-nodes with the user that provisions; nothing was changed.");
                    }
                    // Unchecked, too: pools have exceptions of their own.
                    unreachable.put(name, FailureReason.of(e));
                }
            });
            if (!unreachable.isEmpty()) {
                throw new DatabasesUnreachableException("A change of jvm-nodes needs all databases of the cluster, but"
                        + " these cannot be reached: " + unreachable + ". Start them and run it again; nothing was"
                        + " changed.");
            }
            complete = true;
            return opened;
        } finally {
            if (!complete) {
                opened.close();
            }
        }
    }

    private void add(String name, Connection connection) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        boolean locked = false;
        try {
            connection.setAutoCommit(true);
            SearchPath.pin(connection);
            SessionLock lock = SessionLock.tryOnJvmNodes(connection);
            if (lock == null) {
                throw new JvmNodesChangeRefusedException("Another run that changes jvm-nodes is at work in database "
                        + name + ". Wait until it has ended; nothing was changed.");
            }
            open.put(name, new Locked(connection, autoCommit, lock));
            locked = true;
        } finally {
            if (!locked) {
                giveBack(connection, autoCommit);
            }
        }
    }

    /** By the names of the databases, in alphabetical order. */
    Map<String, Connection> connections() {
        Map<String, Connection> connections = new TreeMap<>();
        open.forEach((name, locked) -> connections.put(name, locked.connection()));
        return connections;
    }

    /** A connection that cannot be returned was lost before; the server releases the lock of its session. */
    @Override
    public void close() {
        open.forEach((name, locked) -> {
            try {
                locked.lock().close();
            } catch (SQLException e) {
                LOG.debug("Database {}: the lock is freed by the end of the session", name, e);
            }
            try {
                giveBack(locked.connection(), locked.autoCommit());
            } catch (SQLException e) {
                LOG.debug("Database {}: the connection is lost", name, e);
            }
        });
        open.clear();
    }

    private static void giveBack(Connection connection, boolean autoCommit) throws SQLException {
        try (connection) {
            if (!connection.isClosed()) {
                SearchPath.release(connection);
                connection.setAutoCommit(autoCommit);
            }
        }
    }
}
