package io.github.shardedid.benchmarks.start;

import io.github.shardedid.benchmarks.servers.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts the connections that others open to a database, as its server does.
 *
 * @param observed the database
 * @param observer another database of the same server, so that queries of the counter are not counted
 */
record OpenedConnections(Database observed, Database observer) {
    /** On the server with a number, a new database. */
    static OpenedConnections on(int server) throws SQLException {
        return new OpenedConnections(Database.create(server), Database.create(server));
    }

    /** How many have ever been opened. All must be about to end: a server counts them for sure by then. */
    long sessions() throws SQLException {
        String url = observed.url();
        String name = "datname = '" + url.substring(url.lastIndexOf('/') + 1).replaceFirst("\\?.*", "") + "'";
        try (Connection connection = observer.connect()) {
            while (Database.number(connection, "SELECT count(*) FROM pg_stat_activity WHERE " + name) > 0) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            return (long) Database.number(connection, "SELECT sessions FROM pg_stat_database WHERE " + name);
        }
    }
}
