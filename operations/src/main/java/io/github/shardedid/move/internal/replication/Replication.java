package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** PostgreSQL's own logical replication of a shard's tables: publication and slots at the source, subscription at the target. */
public record Replication(MoveContext moving) {
    private static final Logger LOG = LoggerFactory.getLogger(Replication.class);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration MARKER_POLL = Duration.ofMillis(2);
    private static final Duration SLOT_FREE = Duration.ofSeconds(30);
    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final String MAKE_SLOT = "SELECT pg_create_logical_replication_slot(?, 'pgoutput')";

    static final String CANCELLED = "57014";
    static final String NOT_PERMITTED = "42501";
    private static final String WRITERS = Sql.load(Replication.class, "writers.sql");
    private static final String SUBSCRIBER = Sql.load(Replication.class, "subscriber.sql");
    private static final String SUBSCRIPTIONS = Sql.load(Replication.class, "subscriptions.sql");
    static final String KEEPS_LOG = Sql.load(Replication.class, "slot_keeps_log.sql");

    /** Tables whose rows no key names: updates and deletes of theirs are sent with the whole row. */
    private static final String KEYLESS = Sql.load(Replication.class, "keyless_tables.sql");

    private static final String PUBLISHED = Sql.load(Replication.class, "tables_of_publication.sql");

    /** Creates what does not exist yet. The slots come first, so that no change is missed. */
    public void publish() throws SQLException {
        Connection source = moving.source();
        fullIdentities();
        if (!isPublished()) {
            List<String> tables = new ArrayList<>(ShardTables.copied(source, moving.schema()));
            tables.add(MoveNames.MARKER);
            Sql.execute(
                    source,
                    "CREATE PUBLICATION " + moving.object() + " FOR TABLE "
                            + ShardTables.list(moving.schema(), tables));
        }
        for (String slot : List.of(moving.comparisonSlot(), moving.object())) {
            if (!hasSlot(slot)) {
                makeSlot(slot);
            }
        }
        subscribe();
    }

    private boolean isPublished() throws SQLException {
        return Sql.is(moving.source(), "SELECT EXISTS (SELECT FROM pg_publication WHERE pubname = ?)", moving.object());
    }

    private boolean hasSlot(String slot) throws SQLException {
        return Sql.is(moving.source(), KEEPS_LOG, slot);
    }

    /** The server waits for all transactions that have written, to whatever table. */
    private void makeSlot(String slot) throws SQLException {
        Connection source = moving.source();
        within(moving.options().catchUpTimeout(), source, () -> Sql.rows(source, MAKE_SLOT, slot), e -> {
            throw moving.unfinished(
                    "a replication slot could not be created, because these sessions of the source have had transactions open"
                            + " for too long: " + Sql.strings(source, WRITERS) + ".",
                    e);
        });
    }

    /** Throws an exception that says what was cancelled. */
    private interface Cancelled {
        void report(SQLException cause) throws SQLException;
    }

    private static void within(Duration timeout, Connection connection, Sql.Work work, Cancelled cancelled)
            throws SQLException {
        Sql.execute(connection, "SET statement_timeout = " + timeout.toMillis());
        try {
            work.run();
        } catch (SQLException e) {
            if (CANCELLED.equals(e.getSQLState())) {
                cancelled.report(e);
            }
            throw e;
        } finally {
            if (!connection.isClosed()) {
                Sql.execute(connection, "RESET statement_timeout");
            }
        }
    }

    private void subscribe() throws SQLException {
        if (subscriber() == null) {
            create();
        }
        // Also if it existed before: the process may have died before this.
        moving.journal().record("subscriber", String.valueOf(subscriber()));
    }

    private void create() throws SQLException {
        ReplicationSource reach = ReplicationEndpoint.of(moving);
        Connection target = moving.target();
        String name = moving.object();
        String options = "create_slot = false, slot_name = " + Sql.literal(name);
        asking(
                target,
                () -> Sql.transaction(target, () -> ReplicationEndpoint.subscribe(target, name, reach, name, options)));
        LOG.info("{}: the target copies from {}", moving.move(), reach);
    }

    /** Returns whether everything still exists; a failover to a standby may have lost a slot. */
    public boolean isComplete() throws SQLException {
        return isPublished() && hasSlot(moving.object()) && hasSlot(moving.comparisonSlot()) && subscriber() != null;
    }

    private @Nullable String subscriber() throws SQLException {
        return Sql.text(moving.target(), SUBSCRIBER, moving.object());
    }

    private void fullIdentities() throws SQLException {
        Connection source = moving.source();
        Map<String, String> keyless =
                Sql.map(source, KEYLESS, row -> Map.entry(row.getString(1), row.getString(2)), moving.schema());
        if (keyless.isEmpty()) {
            return;
        }
        List<String> remembered = new ArrayList<>(moving.journal().remembered("identities"));
        keyless.forEach((table, identity) -> {
            remembered.add(table);
            remembered.add(identity);
        });
        moving.journal().record("identities", remembered);
        for (String table : keyless.keySet()) {
            identity(moving.schema(), table, "FULL");
        }
    }

    private void restoreIdentities(String schema) throws SQLException {
        List<String> remembered = moving.journal().remembered("identities");
        for (int i = 0; i < remembered.size(); i += 2) {
            identity(schema, remembered.get(i), remembered.get(i + 1));
        }
    }

    private void identity(String schema, String table, String identity) throws SQLException {
        if (!locking("ALTER TABLE " + ShardTables.qualified(schema, table) + " REPLICA IDENTITY " + identity)) {
            throw moving.unfinished("table " + table + " could not be locked to set its replica identity.");
        }
    }

    /**
     * Executes statements that lock tables for a moment, in a transaction. Retried with a short lock timeout, so that others do not
     * wait.
     */
    private boolean locking(String statements) throws SQLException {
        Connection source = moving.source();
        String timeout =
                "SET LOCAL lock_timeout = " + moving.options().lockTimeout().toMillis();
        return moving.await(moving.options().catchUpTimeout(), Duration.ofMillis(500), () -> {
            try {
                Sql.transaction(source, () -> Sql.execute(source, List.of(timeout, statements)));
                return true;
            } catch (SQLException e) {
                if (Sql.isLocked(e)) {
                    return false;
                }
                throw e;
            }
        });
    }

    /** Drops the target's side: this subscription, and what earlier moves of the shard have left. */
    public static void unsubscribe(Connection target, int shard) throws SQLException {
        unsubscribe(target, MoveNames.prefix(shard));
    }

    /** Drops the subscriptions of a prefix; their slots stay. */
    static void unsubscribe(Connection target, String prefix) throws SQLException {
        for (String subscription : Sql.strings(target, SUBSCRIPTIONS, prefix)) {
            Sql.execute(target, "ALTER SUBSCRIPTION " + subscription + " DISABLE");
            Sql.execute(target, "ALTER SUBSCRIPTION " + subscription + " SET (slot_name = NONE)");
            asking(target, () -> Sql.execute(target, "DROP SUBSCRIPTION " + subscription));
        }
    }

    /**
     * Runs a statement for which the target's server connects to the source's. It would wait for a silent one without end, whatever
     * connect_timeout is, but obeys statement_timeout.
     */
    private static void asking(Connection target, Sql.Work work) throws SQLException {
        within(ANSWER, target, work, e -> {
            // Not as its cause: the innermost message would be reported.
            SQLException silent = new SQLException(
                    "the source's server did not answer the target's within " + ANSWER.toSeconds()
                            + " s: look at the network between the two",
                    CANCELLED);
            silent.addSuppressed(e);
            throw silent;
        });
    }

    /** Removes the source's side; {@code schema} is what the shard's schema is called now. */
    public void remove(String schema) throws SQLException {
        dropSlots();
        dropPublication();
        restoreIdentities(schema);
        Sql.execute(moving.source(), "DROP TABLE IF EXISTS " + ShardTables.qualified(schema, MoveNames.MARKER));
    }

    /** The connection of a server that still reads from a slot is terminated. */
    private void dropSlots() throws SQLException {
        Connection source = moving.source();
        String sync = moving.journal().subscriber();
        String mine = "FROM pg_replication_slots WHERE database = current_database() AND (slot_name IN ('"
                + moving.object() + "', '" + moving.comparisonSlot() + "') OR slot_name LIKE "
                + Sql.literal(sync == null ? "" : sync) + ")";
        boolean dropped = moving.await(SLOT_FREE, POLL, () -> {
            terminate(mine);
            Sql.rows(source, "SELECT pg_drop_replication_slot(slot_name) " + mine + " AND active_pid IS NULL");
            return Sql.number(source, "SELECT count(*) " + mine) == 0;
        });
        if (!dropped) {
            throw moving.unfinished("replication slots of the source are still in use: "
                    + Sql.strings(
                            source, "SELECT slot_name || ' by process ' || coalesce(active_pid::text, '') " + mine)
                    + ".");
        }
    }

    /** Without the privilege, it is left to the target's server to disconnect. */
    private void terminate(String slots) throws SQLException {
        try {
            Sql.rows(
                    moving.source(),
                    "SELECT pg_terminate_backend(active_pid) " + slots + " AND active_pid IS NOT NULL");
        } catch (SQLException e) {
            if (!NOT_PERMITTED.equals(e.getSQLState())) {
                throw e;
            }
        }
    }

    /**
     * Locks out the writers of its tables meanwhile: each writer reads the publications of its table, and fails if one of them is
     * dropped in that moment ("cache lookup failed for publication").
     */
    private void dropPublication() throws SQLException {
        List<String> tables = Sql.strings(moving.source(), PUBLISHED, moving.object());
        String lock = tables.isEmpty() ? "" : "LOCK TABLE " + String.join(", ", tables) + " IN SHARE MODE;\n";
        if (!locking(lock + "DROP PUBLICATION IF EXISTS " + moving.object())) {
            throw moving.unfinished("publication " + moving.object()
                    + " could not be dropped, because transactions that have written to its"
                    + " tables were open all the time: " + Sql.strings(moving.source(), WRITERS) + ".");
        }
    }

    /** Writes a row whose arrival at the target proves that everything committed before it has arrived. In the caller's transaction, if any. */
    public UUID writeMarker() throws SQLException {
        UUID id = UUID.randomUUID();
        Sql.update(moving.source(), "INSERT INTO " + marker() + " VALUES (?)", id);
        return id;
    }

    /** Returns whether such a row has arrived in time. */
    public boolean awaitMarker(UUID id, Duration most) throws SQLException {
        return moving.await(
                most,
                MARKER_POLL,
                () -> Sql.number(moving.target(), "SELECT count(*) FROM " + marker() + " WHERE id = ?", id) > 0);
    }

    private String marker() {
        return ShardTables.qualified(moving.schema(), MoveNames.MARKER);
    }
}
