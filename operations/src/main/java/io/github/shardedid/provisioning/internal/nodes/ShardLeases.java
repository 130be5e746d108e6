package io.github.shardedid.provisioning.internal.nodes;

import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The leases of a shard. A change of the number of JVM nodes from or to 0 closes them. */
final class ShardLeases {
    private static final String HOLDERS = "SELECT coalesce(string_agg(DISTINCT coalesce(pid::text, 'a prepared"
            + " transaction'), ', '), 'none any more') FROM pg_locks WHERE locktype = 'relation'"
            + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            + " AND relation = cast(? AS regclass) AND pid IS DISTINCT FROM pg_backend_pid()";

    private final Connection connection;
    private final String schema;

    ShardLeases(Connection connection, int shard) {
        this.connection = connection;
        this.schema = ShardSchema.nameOf(shard);
    }

    /** Waits for sessions that lock the leases; returns the first timestamp after all windows. */
    long close(String database, int nodes, long used, ChangeTimeout timeout) throws SQLException {
        AtomicLong end = new AtomicLong();
        timeout.await(database, () -> tryToClose(nodes, used, end));
        return end.get();
    }

    private @Nullable String tryToClose(int nodes, long used, AtomicLong end) throws SQLException {
        try {
            // At another level, leases that were granted while this waited for the lock would be missed.
            end.set(Transaction.read(connection, "READ COMMITTED", () -> {
                Sql.execute(connection, "SET LOCAL lock_timeout = '1s'");
                return Sql.number(connection, "SELECT sharded_id.close_leases(?, ?, ?)", schema, nodes, used);
            }));
            return null;
        } catch (SQLException e) {
            if (Sql.LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                return "the lock on the leases in " + schema + ", held by the sessions with pid: "
                        + Sql.text(connection, HOLDERS, schema + ".sharded_id_lease");
            }
            throw e;
        }
    }
}
