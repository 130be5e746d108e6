package io.github.shardedid.provisioning.internal.nodes;

import io.github.shardedid.operations.internal.DirectSession;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.LockedConnections;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.provisioning.DatabasesUnreachableException;
import io.github.shardedid.provisioning.ProvisioningRefusedException;
import io.github.shardedid.provisioning.ProvisioningRefusedException.Reason;
import io.github.shardedid.provisioning.nodes.JvmNodesChangeRefusedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.sql.DataSource;

/** Connections to all databases, each with the lock for a change of the number of JVM nodes. */
final class LockedDatabases {
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private LockedDatabases() {}

    /**
     * Opens all, or none.
     *
     * @throws DatabasesUnreachableException naming those that cannot be reached
     * @throws JvmNodesChangeRefusedException if another run has a lock
     */
    static LockedConnections open(Map<String, ? extends DataSource> databases) {
        LockedConnections opened = new LockedConnections();
        try {
            Map<String, String> unreachable = new TreeMap<>();
            databases.forEach((name, source) -> open(opened, name, source, unreachable));
            if (!unreachable.isEmpty()) {
                throw new DatabasesUnreachableException("A change of jvm-nodes needs all databases of the cluster, but"
                        + " these cannot be reached: " + unreachable + ". Start them and run it again; nothing was"
                        + " changed.");
            }
            return opened;
        } catch (RuntimeException | Error e) {
            opened.close();
            throw e;
        }
    }

    private static void open(
            LockedConnections opened, String name, DataSource source, Map<String, String> unreachable) {
        try {
            opened.add(
                    name,
                    direct(name, source.getConnection()),
                    SessionLock::tryOnJvmNodes,
                    () -> new JvmNodesChangeRefusedException(
                            "Another run that changes jvm-nodes is at work in database " + name
                                    + ". Wait until it has ended; nothing was changed."));
        } catch (JvmNodesChangeRefusedException e) {
            throw e;
        } catch (SQLException | RuntimeException e) {
            if (e instanceof SQLException refused && INSUFFICIENT_PRIVILEGE.equals(refused.getSQLState())) {
                throw new ProvisioningRefusedException(
                        Reason.MISSING_PRIVILEGE,
                        "The user of database " + name
                                + " does not own schema sharded_id: " + FailureReason.of(e)
                                + ". Change jvm-nodes with the user that provisions; nothing was changed.");
            }
            // Pools throw unchecked exceptions, too.
            unreachable.put(name, FailureReason.of(e));
        }
    }

    private static Connection direct(String name, Connection connection) throws SQLException {
        Optional<String> pooled = DirectSession.obstacle(name, connection, "a change of jvm-nodes needs");
        if (pooled.isPresent()) {
            connection.close();
            throw new JvmNodesChangeRefusedException(pooled.get() + " Nothing was changed.");
        }
        return connection;
    }
}
