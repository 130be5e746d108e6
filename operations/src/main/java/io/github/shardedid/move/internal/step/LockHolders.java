package io.github.shardedid.move.internal.step;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Describes the sessions with locks on the relations of a shard's schema. */
final class LockHolders {
    private static final String WHO =
            "SELECT CASE WHEN l.pid IS NULL THEN 'a prepared transaction' ELSE 'process ' || l.pid"
                    + " || coalesce(' (' || nullif(a.application_name, '') || ')', '') || coalesce(', ' || a.state, '')"
                    + " || coalesce(', for ' || round(extract(epoch FROM clock_timestamp() - a.xact_start)) || ' s', '') END"
                    + " FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid WHERE l.granted"
                    + " AND l.locktype = 'relation' AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
                    + " AND l.pid IS DISTINCT FROM pg_backend_pid() AND l.relation IN (SELECT c.oid FROM pg_class c"
                    + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind IN ('r', 'p', 'S'))";
    private static final String LASTING =
            " AND (l.pid IS NULL OR clock_timestamp() - a.xact_start > interval '1 second')";
    private static final String ONCE = " GROUP BY 1 ORDER BY 1";

    private final Connection connection;
    private final String schema;

    LockHolders(Connection connection, String schema) {
        this.connection = connection;
        this.schema = schema;
    }

    List<String> all() throws SQLException {
        return Sql.strings(connection, WHO + ONCE, schema);
    }

    /** Those whose transaction has lasted for a second, and so is likely to last longer. */
    List<String> lasting() throws SQLException {
        return Sql.strings(connection, WHO + LASTING + ONCE, schema);
    }
}
