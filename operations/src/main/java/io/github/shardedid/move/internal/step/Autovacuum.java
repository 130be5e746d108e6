package io.github.shardedid.move.internal.step;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** What the server does of its own accord with tables that are to be locked. */
final class Autovacuum {
    private Autovacuum() {}

    /**
     * An autovacuum makes room for who waits for its table's lock, but not before that one has looked for a deadlock, which is after
     * a second by default. In this transaction it is earlier, if the role is a superuser: others may not set that.
     *
     * @param lockTimeout how long a lock may be waited for
     */
    static void hasten(Connection connection, Duration lockTimeout) throws SQLException {
        if (Sql.is(connection, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user")) {
            Sql.execute(connection, "SET LOCAL deadlock_timeout = " + Math.max(1, lockTimeout.toMillis() / 2));
        }
    }
}
