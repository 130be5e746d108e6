package io.github.shardedid.routing.internal;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.sql.SqlFile;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Asks the global database how far the copies of its replicated tables are. A copy is as far as its database has confirmed to its
 * replication slot: it confirms what its transactions have committed.
 *
 * @param source a data source that routes
 * @param databases those that it routes to, whose copies can be read here: the global database may know others, such as one that was removed
 */
public record ReplicationLag(DataSource source, Set<String> databases) {
    private static final long POLL_MILLIS = 5;

    private static final String NOW = "SELECT CASE WHEN pg_catalog.to_regclass('sharded_id.replicated') IS NOT NULL"
            + " THEN pg_catalog.pg_current_wal_lsn() END";

    private static final String LAG = SqlFile.read(ReplicationLag.class, "replication_lag.sql");

    /** Returns how many bytes each database is behind a position of the log. */
    private Map<String, Long> bytes(String to) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(Target.global());
                Connection connection = source.getConnection();
                PreparedStatement query = connection.prepareStatement(LAG)) {
            query.setString(1, to);
            Map<String, Long> bytes = new TreeMap<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    bytes.put(row.getString(1), row.getLong(2));
                }
            }
            return bytes;
        }
    }

    /** Returns the end of the log; null if no table is replicated. */
    private @Nullable String now() throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(Target.global());
                Connection connection = source.getConnection();
                PreparedStatement query = connection.prepareStatement(NOW);
                ResultSet row = query.executeQuery()) {
            return row.next() ? row.getString(1) : null;
        }
    }

    /** Returns how many bytes of log each database is behind; -1 if no log is kept for it, or it does not read it. Empty if no table is replicated. */
    public Map<String, Long> bytes() throws SQLException {
        String now = now();
        return now == null ? Map.of() : bytes(now);
    }

    /**
     * Waits until all databases to which statements may go have what is committed now.
     *
     * @throws SQLTimeoutException with the databases that do not have it in time
     */
    public void await(Duration timeout) throws SQLException {
        long end = System.nanoTime() + timeout.toNanos();
        String now = now();
        Set<String> behind = now == null ? Set.of() : behind(now);
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
            behind = behind(String.valueOf(now));
        }
    }

    private Set<String> behind(String now) throws SQLException {
        Map<String, Long> bytes = bytes(now);
        bytes.keySet().retainAll(databases);
        bytes.values().removeIf(lag -> lag == 0);
        return bytes.keySet();
    }
}
