package io.github.shardedid.move.internal.replication;

import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Tries what the role of a connection may do for logical replication: services grant it by memberships and functions of their own, so
 * that the attributes of the role do not tell. Nothing is left behind. The connections must be in autocommit mode.
 */
final class ReplicationTrial {
    /** For what PostgreSQL waits after it has checked the privilege: the end of all transactions that write. */
    private static final String TIMEOUT = "SET LOCAL statement_timeout = 2000";

    private static final String SLOT = "SELECT pg_drop_replication_slot(slot_name)"
            + " FROM pg_create_logical_replication_slot(?, 'pgoutput', true)";

    /** Nothing connects with it. Who is no superuser must name a password; with spaces, as logs are searched for "password=". */
    private static final String NOWHERE = "host = localhost password = unused";

    private static final String DATABASE_ONLY = "SELECT NOT has_database_privilege(current_database(), 'CREATE')"
            + " AND EXISTS (SELECT FROM pg_roles WHERE rolname = 'pg_create_subscription' AND pg_has_role(oid, 'USAGE'))";

    private static final String NOT_PERMITTED = "42501";
    private static final String CANCELLED = "57014";
    private static final String LIMIT_EXCEEDED = "53400";

    private final String where;
    private final Connection connection;

    /**
     * Does nothing yet.
     *
     * @param where the server, as messages name it
     */
    ReplicationTrial(String where, Connection connection) {
        this.where = where;
        this.connection = connection;
    }

    /** Creates a logical replication slot that ends with the session, and drops it. */
    void slot(ReplicationObstacles obstacles) throws SQLException {
        try {
            Sql.transaction(connection, () -> {
                Sql.execute(connection, TIMEOUT);
                Sql.rows(connection, SLOT, newName());
            });
        } catch (SQLException e) {
            String role = role();
            String text = refusal(role + " may not create replication slots", role + " creates no slot", e);
            if (isRight(e)) {
                obstacles.add(text + " Run " + ManagedService.of(connection).replicate(role) + "; no restart.");
            } else if (LIMIT_EXCEEDED.equals(e.getSQLState())) {
                obstacles.addPassing(text); // ReplicationRoom says which ones stay.
            } else if (!CANCELLED.equals(e.getSQLState())) {
                obstacles.add(text + " Remove that reason.");
            }
        }
    }

    /** Creates a subscription without connecting, in a transaction that is rolled back. */
    Optional<String> subscription() throws SQLException {
        SQLException failure = subscribe();
        if (failure == null || (isRight(failure) && Sql.is(connection, DATABASE_ONLY))) {
            return Optional.empty(); // MoveRights says so.
        }
        String role = role();
        return Optional.of(refusal(role + " may not create subscriptions", role + " creates no subscription", failure)
                + (isRight(failure) ? " " + subscribe(role) : " Remove that reason."));
    }

    private String subscribe(String role) throws SQLException {
        return ManagedService.of(connection)
                .subscribe(role, connection.getMetaData().getDatabaseMajorVersion());
    }

    private @Nullable SQLException subscribe() throws SQLException {
        connection.setAutoCommit(false);
        try {
            Subscribing.create(
                    connection,
                    newName(),
                    NOWHERE,
                    "PUBLICATION none WITH (connect = false, slot_name = NONE, enabled = false)");
            return null;
        } catch (SQLException e) {
            return e;
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    private String refusal(String forbidden, String failed, SQLException e) {
        String reason = FailureReason.of(e).replaceAll("\\s+", " ");
        return where + ": " + (isRight(e) ? forbidden : failed) + " (SQL state " + e.getSQLState()
                + "). The server says: " + reason + (reason.endsWith(".") ? "" : ".");
    }

    private static boolean isRight(SQLException e) {
        return NOT_PERMITTED.equals(e.getSQLState());
    }

    private String role() throws SQLException {
        return String.valueOf(Sql.text(connection, "SELECT quote_ident(current_user)"));
    }

    private static String newName() {
        return "sharded_id_probe_" + UUID.randomUUID().toString().replace("-", "");
    }
}
