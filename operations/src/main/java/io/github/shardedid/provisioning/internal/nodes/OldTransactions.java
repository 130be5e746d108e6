package io.github.shardedid.provisioning.internal.nodes;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of a database that were open at one moment, each known by its virtual transaction id as in
 * {@code CREATE INDEX CONCURRENTLY}. A transaction that begins later sees replaced functions from its beginning; one
 * that was open may be within a call of the old ones.
 */
public final class OldTransactions {
    /** A row without a database is one of a server process; it may be of any. Vacuum calls no functions of users. */
    private static final String OPEN =
            "SELECT l.virtualtransaction, coalesce('pid ' || l.pid || ' (' || coalesce(nullif(a.application_name, ''),"
                    + " 'no application_name') || ', ' || coalesce(a.state, 'state unknown') || ' since '"
                    + " || coalesce(date_trunc('second', a.xact_start)::text, 'unknown') || ')', 'a transaction')"
                    + " FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid"
                    + " WHERE l.locktype = 'virtualxid' AND l.mode = 'ExclusiveLock' AND l.granted"
                    + " AND l.pid <> pg_backend_pid() AND coalesce(a.backend_type, '') <> 'autovacuum worker'"
                    + " AND (a.datid IS NULL OR a.datid = (SELECT oid FROM pg_database"
                    + " WHERE datname = current_database()))";

    private final Connection connection;
    private final Map<String, String> remembered;

    private OldTransactions(Connection connection, Map<String, String> remembered) {
        this.connection = connection;
        this.remembered = remembered;
    }

    /** Those of others that are open now. The connection is in autocommit mode. */
    public static OldTransactions now(Connection connection) throws SQLException {
        return new OldTransactions(connection, open(connection));
    }

    /** Which of them are still open, in words; null if none is. */
    @Nullable
    public String stillOpen() throws SQLException {
        if (!remembered.isEmpty()) {
            remembered.keySet().retainAll(open(connection).keySet());
        }
        return remembered.isEmpty()
                ? null
                : "transactions that were open before the change and may use the previous functions: "
                        + String.join(", ", remembered.values());
    }

    private static Map<String, String> open(Connection connection) throws SQLException {
        Map<String, String> open = new TreeMap<>();
        Sql.rows(connection, OPEN).forEach(row -> open.put(String.valueOf(row.get(0)), String.valueOf(row.get(1))));
        return open;
    }
}
