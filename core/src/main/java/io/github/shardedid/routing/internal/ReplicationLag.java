package io.github.shardedid.routing.internal;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Asks the global database how far the copies of its replicated tables are. A copy is as far as its database has confirmed to its
 * replication slot: it confirms what its transactions have committed.
 *
 * @param source a data source that routes
 */
public record ReplicationLag(DataSource source) {
    private static final long POLL_MILLIS = 5;

    private static final String IS_ANY = "SELECT pg_catalog.to_regclass('sharded_id.replicated') IS NOT NULL";

    private static final String SLOTS = " FROM sharded_id.replicated r LEFT JOIN pg_catalog.pg_replication_slots s"
            + " ON s.slot_name = r.slot_name AND s.wal_status <> 'lost'";

    private static final String NOW = "SELECT pg_catalog.pg_current_wal_lsn()";

    private static final String BEHIND =
            "SELECT r.database" + SLOTS + " WHERE coalesce(s.confirmed_flush_lsn < cast(? AS pg_catalog.pg_lsn), true)";

    private static final String LAG =
            "SELECT r.database, coalesce(pg_catalog.pg_current_wal_lsn() - s.confirmed_flush_lsn, -1)" + SLOTS;

    /** Work on a connection to the global database, in autocommit mode. */
    private interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    private <T> T global(Work<T> work) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(Target.global());
                Connection connection = source.getConnection()) {
            return work.on(connection);
        }
    }

    /** Returns the first column of all rows. */
    private static List<String> texts(Connection connection, String sql, String... parameters) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                query.setString(i + 1, parameters[i]);
            }
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    texts.add(row.getString(1));
                }
            }
        }
        return texts;
    }

    private static boolean isAny(Connection connection) throws SQLException {
        return texts(connection, IS_ANY).contains("t");
    }

    /** Returns how many bytes of log each database is behind; -1 if no log is kept for it. Empty if no table is replicated. */
    public Map<String, Long> bytes() throws SQLException {
        return global(connection -> {
            Map<String, Long> bytes = new TreeMap<>();
            if (isAny(connection)) {
                try (PreparedStatement query = connection.prepareStatement(LAG);
                        ResultSet row = query.executeQuery()) {
                    while (row.next()) {
                        bytes.put(row.getString(1), row.getLong(2));
                    }
                }
            }
            return bytes;
        });
    }

    /**
     * Waits until all databases have what is committed now.
     *
     * @throws SQLTimeoutException with the databases that do not have it in time
     */
    public void await(Duration timeout) throws SQLException {
        long end = System.nanoTime() + timeout.toNanos();
        String now =
                global(connection -> isAny(connection) ? texts(connection, NOW).get(0) : "");
        if (now.isEmpty()) {
            return;
        }
        List<String> behind = global(connection -> texts(connection, BEHIND, now));
        while (!behind.isEmpty()) {
            if (System.nanoTime() - end >= 0) {
                throw new SQLTimeoutException(
                        "Databases " + behind + " did not have the latest rows of the replicated tables"
                                + " within " + timeout.toMillis()
                                + " ms. The rows are committed in the global database. The health of"
                                + " the cluster shows how far each database is; the log of its server says what stops it.");
            }
            try {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SQLException(
                        "Interrupted while databases " + behind + " received replicated rows.", "57014", e);
            }
            behind = global(connection -> texts(connection, BEHIND, now));
        }
    }
}
