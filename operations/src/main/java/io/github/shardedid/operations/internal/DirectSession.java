package io.github.shardedid.operations.internal;

import io.github.shardedid.WayOut;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.postgresql.core.BaseConnection;

/**
 * Finds poolers between a connection and its server. Behind one, the session may be another one in each transaction, and with it
 * session locks, notifications and settings.
 */
public final class DirectSession {
    /** PgBouncer's own text, which is not translated. */
    private static final String REFUSED = "unsupported startup parameter";

    private DirectSession() {}

    /**
     * Says why the connection has no session of its own, and what to configure; empty if it has one, or if the driver is not PostgreSQL's. A
     * pooler greets the driver itself, so that the process that answers is not the one of the greeting.
     *
     * @param need what the session is needed for, as the subject of a sentence
     */
    public static Optional<String> obstacle(String database, Connection connection, String need) throws SQLException {
        if (!connection.isWrapperFor(BaseConnection.class)) {
            return Optional.empty();
        }
        int greeting =
                connection.unwrap(BaseConnection.class).getQueryExecutor().getBackendPID();
        return Sql.number(connection, "SELECT pg_catalog.pg_backend_pid()") == greeting
                ? Optional.empty()
                : Optional.of(message(database, "and " + need + " a session of its own"));
    }

    /** Finds a pooler behind a connection that could not be made: it refused a setting that the server itself accepts. */
    public static Optional<String> obstacle(String database, String failure) {
        return failure.contains(REFUSED)
                ? Optional.of(message(database, "which refused: " + failure))
                : Optional.empty();
    }

    private static String message(String database, String why) {
        return "Database " + database + " is behind a pooler, such as PgBouncer, " + why + ". Set "
                + WayOut.DIRECT_DATABASE.of(database) + " that leads to the server itself.";
    }
}
