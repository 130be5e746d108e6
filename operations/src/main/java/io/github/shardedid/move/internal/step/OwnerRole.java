package io.github.shardedid.move.internal.step;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;

/** The role that owns the cluster, and so the copies of its shards, whichever of its members is at work. */
public final class OwnerRole {
    private OwnerRole() {}

    /** Works as that role, and then as before. */
    public static void run(Connection connection, Sql.Work work) throws SQLException {
        String role = Sql.text(connection, "SELECT current_setting('role')");
        Sql.rows(
                connection,
                "SELECT set_config('role', pg_get_userbyid(nspowner), false) FROM pg_namespace"
                        + " WHERE nspname = 'sharded_id' AND pg_get_userbyid(nspowner) <> current_user");
        try {
            work.run();
        } finally {
            if (!connection.isClosed()) {
                Sql.rows(connection, "SELECT set_config('role', ?, false)", role);
            }
        }
    }
}
