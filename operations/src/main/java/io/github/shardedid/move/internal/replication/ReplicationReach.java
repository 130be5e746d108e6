package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Tries whether one server reaches another one as a subscription will: by a subscription without a slot, which connects when it is
 * made, in a transaction that is rolled back.
 */
public final class ReplicationReach {
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

    private ReplicationReach() {}

    /** Why the server is not reached; empty if it is. Both connections must be in autocommit mode. */
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
            Subscribing.create(
                    target,
                    name,
                    Reach.connectionString(reach),
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
