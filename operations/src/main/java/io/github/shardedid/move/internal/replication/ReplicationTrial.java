package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveRefusedException.Reason;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Tries whether one server can replicate to another one: with slots that are dropped, and a subscription without a slot, which connects when
 * it is made, in a transaction that is rolled back. Settings and attributes of roles are not asked: services grant by memberships and
 * functions of their own. Nothing is left behind. The connections must be in autocommit mode.
 *
 * @param from the source's server, as messages name it
 * @param to the target's, likewise
 */
public record ReplicationTrial(String from, Connection source, String to, Connection target) {
    /** Of a move: its subscription, the slot of the comparison, and one for a table that is being copied. */
    private static final int SLOTS = 3;

    /** For what PostgreSQL waits after it has checked the privilege: the end of all transactions that write. */
    private static final String TIMEOUT = "SET LOCAL statement_timeout = 2000";

    private static final String SLOT = "SELECT pg_create_logical_replication_slot(?, 'pgoutput', true)";

    private static final String DROP_SLOTS = Sql.load(ReplicationTrial.class, "drop_trial_slots.sql");

    private static final String LIMIT_EXCEEDED = "53400";

    /**
     * The number of the process follows that connects to the source. The subscription ends with its transaction, but the publication must
     * be committed: a warning that it is missing would show the password in the log of the target's server.
     */
    private static final String PROBE = "sharded_id_probe_";

    private static final String LEFT = Sql.load(ReplicationTrial.class, "left_publications.sql");

    private static final String WORKERS = Sql.load(ReplicationTrial.class, "worker_obstacles.sql");

    private static final int SECONDS = 10;
    private static final String NO_PASSWORD = "2F003";
    private static final String MAY_PUBLISH = "SELECT has_database_privilege(current_database(), 'CREATE')";

    /**
     * Returns a line for each thing that has to be changed, with where and how; empty if nothing has.
     *
     * @throws MoveRefusedException if all slots are in use, which passes
     */
    public List<String> run(ReplicationSource reach) throws SQLException {
        List<String> obstacles = new ArrayList<>();
        slots(obstacles);
        Sql.strings(target, WORKERS).forEach(line -> obstacles.add(to + ": " + line));
        if (obstacles.isEmpty() && Sql.is(source, MAY_PUBLISH)) {
            subscription(reach, obstacles);
        }
        return obstacles;
    }

    /** Creates slots that end with the session, and drops them. */
    private void slots(List<String> obstacles) throws SQLException {
        String name = PROBE + UUID.randomUUID().toString().replace("-", "").substring(0, 20);
        try {
            for (int i = 0; i < SLOTS; i++) {
                String slot = name + i;
                Sql.transaction(source, () -> {
                    Sql.execute(source, TIMEOUT);
                    Sql.rows(source, SLOT, slot);
                });
            }
        } catch (SQLException e) {
            String text =
                    from + ": the server creates no replication slot (SQL state " + e.getSQLState() + "): " + reason(e);
            if (Replication.NOT_PERMITTED.equals(e.getSQLState())) {
                String role = Sql.text(source, "SELECT quote_ident(current_user)");
                obstacles.add(text + " Run ALTER ROLE " + role + " REPLICATION, or what your service grants instead.");
            } else if (LIMIT_EXCEEDED.equals(e.getSQLState())) {
                throw new MoveRefusedException(
                        Reason.DEFERRED,
                        text + " A move needs " + SLOTS + ". Raise max_replication_slots, or wait until some are free."
                                + " Nothing was changed.");
            } else if (!Replication.CANCELLED.equals(e.getSQLState())) {
                obstacles.add(text + " Remove that reason.");
            }
        } finally {
            if (!source.isClosed()) {
                Sql.rows(source, DROP_SLOTS, name);
            }
        }
    }

    private void subscription(ReplicationSource reach, List<String> obstacles) throws SQLException {
        String role = Sql.text(target, "SELECT quote_ident(current_user)");
        String name = PROBE + Sql.number(source, "SELECT pg_backend_pid()");
        Sql.execute(source, "DROP PUBLICATION IF EXISTS " + name + "; CREATE PUBLICATION " + name);
        target.setAutoCommit(false);
        try {
            // A server that connects to another one does not obey connect_timeout.
            Sql.execute(target, "SET LOCAL statement_timeout = " + 2 * SECONDS * 1000);
            String options = "connect = true, create_slot = false, slot_name = NONE, enabled = false";
            ReplicationEndpoint.subscribe(target, name, reach, name, options);
        } catch (SQLException e) {
            obstacles.add(to
                    + (Replication.NOT_PERMITTED.equals(e.getSQLState())
                            ? ": " + role + " may not create subscriptions"
                            : ": its server does not reach the source as " + reach)
                    + " (SQL state " + e.getSQLState() + "): " + concealed(reason(e), reach) + wayOut(e, role));
        } finally {
            target.rollback();
            target.setAutoCommit(true);
            Sql.execute(source, "DROP PUBLICATION " + name);
        }
    }

    private static String wayOut(SQLException e, @Nullable String role) {
        if (Replication.NOT_PERMITTED.equals(e.getSQLState())) {
            return " Run GRANT pg_create_subscription TO " + role
                    + ", or what your service grants instead; before PostgreSQL 16, only superusers subscribe.";
        }
        return (NO_PASSWORD.equals(e.getSQLState())
                        ? " Only a superuser subscribes without one: let pg_hba.conf of the source ask that user for a"
                                + " password (scram-sha-256)."
                        : "")
                + " Name host, port, user and certificates as that server sees them in the replication source of the"
                + " move's options; see also pg_hba.conf and listen_addresses at the source, where that user needs"
                + " REPLICATION.";
    }

    /** Drops the publications of processes that died while they tried. */
    public static void removeLeft(Connection source) throws SQLException {
        for (String publication : Sql.strings(source, LEFT)) {
            Sql.execute(source, "DROP PUBLICATION IF EXISTS " + publication);
        }
    }

    private static String reason(SQLException failure) {
        String line = FailureReason.of(failure)
                .replaceAll("\\s+", " ")
                .replaceAll(" (?:Detail|Hint):(?= (?:Detail|Hint):| ?$)", "");
        return line.endsWith(".") ? line : line + ".";
    }

    private static String concealed(String line, ReplicationSource reach) {
        String safe = line;
        for (String secret : Arrays.asList(reach.password(), reach.parameters().get("sslpassword"))) {
            safe = secret == null || secret.isEmpty() ? safe : safe.replace(secret, "***");
        }
        return safe;
    }
}
