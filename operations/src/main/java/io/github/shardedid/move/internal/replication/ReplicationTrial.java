package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Tries what the role of a connection may do for logical replication: services grant it by memberships and functions of their own, so
 * that the attributes of the role do not show it. Also tries whether one server reaches another one as a subscription will: by a
 * subscription without a slot, which connects when it is made, in a transaction that is rolled back. Nothing is left behind. The
 * connections must be in autocommit mode.
 */
public final class ReplicationTrial {
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

    /**
     * The number of the process follows that connects to the source. The subscription ends with its transaction, but the publication must
     * be committed: a warning that it is missing would show the password in the log of the target's server.
     */
    private static final String PROBE = "sharded_id_probe_";

    private static final String LEFT =
            "SELECT quote_ident(p.pubname) FROM pg_publication p WHERE starts_with(p.pubname, '"
                    + PROBE + "') AND pg_has_role(p.pubowner, 'USAGE') AND NOT EXISTS (SELECT FROM pg_stat_activity a"
                    + " WHERE a.pid::text = substring(p.pubname FROM '_([0-9]+)$') AND a.datname = current_database())";

    private static final int SECONDS = 10;
    private static final String NO_PASSWORD = "2F003";

    private static final String ASK =
            " Only a superuser subscribes without one: let pg_hba.conf of the source ask that user for a"
                    + " password (scram-sha-256, with clientcert=verify-full if certificates are wanted, too), and name it"
                    + " in the replication source.";

    private static final String FILES = " Its certificates are files of that server: name them by the parameters"
            + " sslrootcert, sslcert and sslkey of the replication source.";

    private static final String MAY_PUBLISH = "SELECT has_database_privilege(current_database(), 'CREATE')";

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

    /** An obstacle to a slot; it passes, if a limit is exceeded of which {@link ReplicationSettings} says what stays in use. */
    record Obstacle(String text, boolean passes) {}

    /** Creates a logical replication slot that ends with the session, and drops it; returns why that was refused. */
    Optional<Obstacle> slot() throws SQLException {
        try {
            Sql.transaction(connection, () -> {
                Sql.execute(connection, TIMEOUT);
                Sql.rows(connection, SLOT, newName());
            });
            return Optional.empty();
        } catch (SQLException e) {
            String role = role();
            String text = refusal(role + " may not create replication slots", role + " creates no slot", e);
            if (isRight(e)) {
                String grant = ManagedService.of(connection).replicate(role);
                return Optional.of(new Obstacle(text + " Run " + grant + "; no restart.", false));
            }
            if (LIMIT_EXCEEDED.equals(e.getSQLState())) {
                return Optional.of(new Obstacle(text, true));
            }
            return CANCELLED.equals(e.getSQLState())
                    ? Optional.empty()
                    : Optional.of(new Obstacle(text + " Remove that reason.", false));
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
            ReplicationEndpoint.subscribe(
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

    /** Returns why the server is not reached; empty if it is. Both connections must be in autocommit mode. */
    static Optional<String> failure(String where, Connection source, Connection target, ReplicationSource reach)
            throws SQLException {
        if (!Sql.is(source, MAY_PUBLISH)) {
            return Optional.empty(); // MoveRights says so, and nothing is moved.
        }
        String name = PROBE + Sql.number(source, "SELECT pg_backend_pid()");
        Sql.execute(source, "DROP PUBLICATION IF EXISTS " + name + "; CREATE PUBLICATION " + name);
        try {
            Optional<String> failure = failure(name, where, target, reach);
            String hint = failure.isPresent() ? replicating(source, reach) : "";
            return failure.map(line -> line + hint);
        } finally {
            Sql.execute(source, "DROP PUBLICATION " + name);
        }
    }

    /** Drops the publications of processes that died while they tried. */
    public static void removeLeft(Connection source) throws SQLException {
        for (String publication : Sql.strings(source, LEFT)) {
            Sql.execute(source, "DROP PUBLICATION IF EXISTS " + publication);
        }
    }

    /** The target's server reports what the source's refused as text only. */
    private static String replicating(Connection source, ReplicationSource reach) throws SQLException {
        String role = Sql.text(
                source,
                "SELECT quote_ident(rolname) FROM pg_roles WHERE rolname = ? AND NOT (rolreplication OR rolsuper)",
                reach.user());
        return role == null
                ? ""
                : " If the source refuses to start a WAL sender for " + role + ": run "
                        + ManagedService.of(source).replicate(role) + " there; no restart.";
    }

    private static Optional<String> failure(String name, String where, Connection target, ReplicationSource reach)
            throws SQLException {
        target.setAutoCommit(false);
        try {
            // A server that connects to another one does not obey connect_timeout.
            Sql.execute(target, "SET LOCAL statement_timeout = " + 2 * SECONDS * 1000);
            ReplicationEndpoint.subscribe(
                    target,
                    name,
                    ReplicationEndpoint.connectionString(reach),
                    "PUBLICATION " + name
                            + " WITH (connect = true, create_slot = false, slot_name = NONE, enabled = false)");
            return Optional.empty();
        } catch (SQLException e) {
            return Optional.of(where + ": its server does not reach the source as " + reach + " (SQL state "
                    + e.getSQLState() + "): " + reason(e, reach)
                    + (NO_PASSWORD.equals(e.getSQLState()) ? ASK : "")
                    + (reach.parameters().containsKey("sslmode") ? FILES : "")
                    + " Name host, port and user as that server sees them in the replication source of the move's options;"
                    + " see also pg_hba.conf and listen_addresses at the source.");
        } finally {
            target.rollback();
            target.setAutoCommit(true);
        }
    }

    private static String reason(SQLException failure, ReplicationSource reach) {
        String line = FailureReason.of(failure).replaceAll("\\s+", " ");
        String safe = line;
        for (String secret : Arrays.asList(reach.password(), reach.parameters().get("sslpassword"))) {
            safe = secret == null || secret.isEmpty() ? safe : safe.replace(secret, "***");
        }
        return safe.endsWith(".") ? safe : safe + ".";
    }
}
