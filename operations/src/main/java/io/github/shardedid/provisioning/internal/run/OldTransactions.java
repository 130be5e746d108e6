package io.github.shardedid.provisioning.internal.run;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of a database that were open at one moment, identified by their virtual transaction ids as in
 * {@code CREATE INDEX CONCURRENTLY}. They may be within a call of a function that has been replaced since; transactions that begin
 * later call the new one.
 */
final class OldTransactions {
    /** A session without a database is a server process, which may work in any. Autovacuum calls no such functions. */
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

    /** The open transactions of other sessions. The connection is in autocommit mode. */
    static OldTransactions now(Connection connection) throws SQLException {
        return new OldTransactions(connection, open(connection));
    }

    /** The transactions that are still open, for a message; null if there are none. */
    @Nullable
    String stillOpen() throws SQLException {
        if (!remembered.isEmpty()) {
            remembered.keySet().retainAll(open(connection).keySet());
        }
        return remembered.isEmpty()
                ? null
                : "transactions that were open before the change and may use the previous functions: "
                        + String.join(", ", remembered.values());
    }

    private static Map<String, String> open(Connection connection) throws SQLException {
        return Sql.map(connection, OPEN, row -> Map.entry(row.getString(1), row.getString(2)));
    }
}
