package io.github.shardedid.move.internal.step;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Shortens the wait for the autovacuum of a table that is to be locked. */
final class Autovacuum {
    private Autovacuum() {}

    /**
     * An autovacuum ends when another session waits for the lock of its table, but not before that session has
     * checked for a deadlock, which is after a second by default. In this transaction it checks earlier, if the role
     * is a superuser: others may not set that.
     *
     * @param lockTimeout how long a lock may be waited for
     */
    static void hasten(Connection connection, Duration lockTimeout) throws SQLException {
        if (Sql.is(connection, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user")) {
            Sql.execute(connection, "SET LOCAL deadlock_timeout = " + Math.max(1, lockTimeout.toMillis() / 2));
        }
    }
}
