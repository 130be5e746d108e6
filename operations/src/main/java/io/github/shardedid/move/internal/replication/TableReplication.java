package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.move.internal.comparison.ContentComparison;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Inquiry;
import io.github.shardedid.operations.internal.SearchPath;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.topology.GlobalDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replicates tables of the global database to the other databases, by PostgreSQL's own logical replication. For each database:
 *
 * <ol>
 *   <li>Compare the copies with the originals, rows included, and look for subscription and slot. Usually nothing is left to do.
 *   <li>Else drop subscription and slot. Readers go on with the copies as they are.
 *   <li>Block writes to the originals, and create a slot: its changes begin where the lock does.
 *   <li>In one transaction of the other database, adapt the tables, make their rows those of the originals, and subscribe to the slot
 *       without a copy of PostgreSQL's own, which would need empty tables. So readers see the rows of before or of after, never none.
 *   <li>Allow writes again.
 * </ol>
 *
 * <p>Structure is taken from the catalog of the global database, not from migrations, which would write rows and create sequences.
 * A process that dies leaves copies that are not fed, which the next run notices.
 *
 * @param global where the originals are, and the schema in each database
 * @param tables their names, as PostgreSQL stores them
 */
public record TableReplication(
        GlobalDatabase global, Set<String> tables, Map<String, DataSource> databases, MoveOptions options) {
    static final String PUBLICATION = "sharded_id_global";
    private static final Logger LOG = LoggerFactory.getLogger(TableReplication.class);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final int ATTEMPTS = 5;
    private static final String STRUCTURE = Sql.load(TableReplication.class, "replicated_structure.sql");
    private static final String SLOTS = Sql.load(TableReplication.class, "replicated_slots.sql");
    private static final String REFUSE = Sql.load(TableReplication.class, "refuse_replicated.sql");
    private static final String COPIES = Sql.load(TableReplication.class, "replicated_tables.sql");
    private static final String PUBLISHED = Sql.load(TableReplication.class, "published_tables.sql");

    private static final String SUBSCRIPTION = " FROM pg_subscription s WHERE s.subname = ? AND s.subdbid ="
            + " (SELECT oid FROM pg_database WHERE datname = current_database())";

    private static final String SLOT =
            " FROM pg_replication_slots WHERE slot_name = ? AND database = current_database()";

    /**
     * Returns the databases that do not have the copies, each with the reason. The others may be behind.
     *
     * @throws MoveRefusedException if a table is missing, or has no key
     */
    public Map<String, String> run() {
        Inquiry.Answers<Boolean> answers =
                Inquiry.pinned(ANSWER, (name, connection) -> true).ask(databases);
        Map<String, String> obstacles = new TreeMap<>(answers.unreachable());
        Set<String> reached = new TreeSet<>(answers.results().keySet());
        if (!reached.remove(global.database())) {
            return obstacles;
        }
        List<CopiedTable> originals;
        try (Connection source = connect(global.database())) {
            originals = SearchPath.pinned(source, () -> published(source));
        } catch (SQLException e) {
            String why = "Database " + global.database() + ": " + FailureReason.of(e);
            reached.forEach(database -> obstacles.put(database, why));
            return obstacles;
        }
        for (String database : reached) {
            try {
                replicate(database, originals);
            } catch (SQLException | RuntimeException e) { // pools have exceptions of their own
                obstacles.put(database, FailureReason.of(e));
            }
        }
        return obstacles;
    }

    private void replicate(String database, List<CopiedTable> originals) throws SQLException {
        try (Connection source = connect(global.database());
                Connection target = connect(database)) {
            SearchPath.pinned(
                    source,
                    () -> SearchPath.pinned(target, () -> {
                        try (SessionLock lock = SessionLock.take(database, target, SessionLock.DATABASE)) {
                            new Copy(database, source, target, originals).update();
                            return true;
                        }
                    }));
        }
    }

    private Connection connect(String database) throws SQLException {
        return HeldConnections.data(databases, database).getConnection();
    }

    private List<CopiedTable> structure(Connection connection, Collection<String> names) throws SQLException {
        return CopiedTable.of(global.schema(), Sql.rows(connection, STRUCTURE, global.schema(), List.copyOf(names)));
    }

    /** Returns all published tables, of which other applications may need some, the given ones among them. */
    private List<CopiedTable> published(Connection source) throws SQLException {
        try (SessionLock lock = SessionLock.take(global.database(), source, SessionLock.DATABASE)) {
            Sql.execute(source, SLOTS);
            Sql.execute(source, REFUSE);
            Set<String> published = new TreeSet<>(Sql.strings(source, PUBLISHED, PUBLICATION));
            Map<String, CopiedTable> found = byName(structure(source, tables));
            for (String name : tables) {
                CopiedTable table = found.get(name);
                if (table == null || !table.hasKey()) {
                    throw new MoveRefusedException(
                            "Table " + global.schema() + "." + name + " of database "
                                    + global.database()
                                    + " is to be replicated, but is missing, or has no primary key as its replica"
                                    + " identity. Create it, and its key, by a global migration (sharded-id.global.migrations).");
                } else if (published.add(name)) {
                    Sql.execute(source, table.publish(PUBLICATION));
                }
            }
            return structure(source, published);
        }
    }

    private static Map<String, CopiedTable> byName(List<CopiedTable> tables) {
        return tables.stream().collect(Collectors.toMap(CopiedTable::name, each -> each));
    }

    /** The copies in one database. */
    private final class Copy {
        private final String database;
        private final Connection source;
        private final Connection target;
        private final String slot;
        private final List<CopiedTable> originals;
        private final List<String> names;

        Copy(String database, Connection source, Connection target, List<CopiedTable> originals) throws SQLException {
            this.database = database;
            this.source = source;
            this.target = target;
            this.originals = originals;
            this.names = originals.stream().map(CopiedTable::name).toList();
            this.slot = String.valueOf(Sql.text(
                    source,
                    "SELECT 'sharded_id_global_' || left(md5(cluster_id || '/' || ?), 16) FROM sharded_id.cluster",
                    database));
        }

        void update() throws SQLException {
            ReplicationSource reach = ReplicationEndpoint.of(
                    global.database(), HeldConnections.data(databases, global.database()), source, options);
            if (isFed() && originals.equals(structure(target, names)) && hasRows()) {
                ReplicationEndpoint.reconnect(target, slot, reach);
                return;
            }
            List<String> obstacles = new ReplicationTrial(
                            "Database " + global.database(), source, "Database " + database, target)
                    .run(reach);
            if (!obstacles.isEmpty()) {
                throw new MoveRefusedException(String.join(" ", obstacles));
            }
            for (int attempt = 1; !rebuilt(reach, attempt == ATTEMPTS); attempt++) {
                LOG.debug("Database {}: replicated tables are in use; trying again", database);
            }
            LOG.info("Database {}: has copies of {} from {}", database, names, reach);
        }

        /** Returns whether changes of the originals arrive, now or when the database is reached again. */
        private boolean isFed() throws SQLException {
            return Sql.is(source, "SELECT EXISTS (SELECT" + SLOT + " AND coalesce(wal_status, '') <> 'lost')", slot)
                    && Sql.number(
                                    target,
                                    "SELECT count(*) FROM pg_subscription_rel r WHERE r.srsubid = (SELECT s.oid"
                                            + SUBSCRIPTION + " AND s.subenabled)",
                                    slot)
                            == names.size();
        }

        /** A copy that was emptied, or restored from a backup, has other rows, as has one that is just behind: it gets them sooner. */
        private boolean hasRows() throws SQLException {
            return ContentComparison.isSame(
                    HeldConnections.data(databases, global.database()),
                    HeldConnections.data(databases, database),
                    source,
                    PUBLICATION,
                    global.schema());
        }

        private boolean rebuilt(ReplicationSource reach, boolean last) throws SQLException {
            unsubscribe();
            Sql.update(
                    source, "INSERT INTO sharded_id.replicated VALUES (?, ?) ON CONFLICT DO NOTHING", slot, database);
            try {
                Sql.transaction(source, () -> {
                    Sql.execute(source, timeout());
                    Sql.execute(source, "LOCK TABLE " + ShardTables.list(global.schema(), names) + " IN SHARE MODE");
                    makeSlot();
                    Sql.transaction(target, () -> fill(reach));
                });
                return true;
            } catch (SQLException e) {
                dropSlot();
                if (last || !Sql.isLocked(e)) {
                    throw e;
                }
                return false;
            }
        }

        private String timeout() {
            return "SET LOCAL lock_timeout = " + options.lockTimeout().toMillis();
        }

        private void unsubscribe() throws SQLException {
            if (Sql.is(target, "SELECT EXISTS (SELECT" + SUBSCRIPTION + ")", slot)) {
                Sql.execute(target, "ALTER SUBSCRIPTION " + slot + " DISABLE");
                Sql.execute(target, "ALTER SUBSCRIPTION " + slot + " SET (slot_name = NONE)");
                Sql.execute(target, "DROP SUBSCRIPTION " + slot);
            }
            dropSlot();
        }

        private void dropSlot() throws SQLException {
            Sql.rows(
                    source,
                    "SELECT pg_terminate_backend(active_pid, 5000)" + SLOT + " AND active_pid IS NOT NULL",
                    slot);
            Sql.rows(source, "SELECT pg_drop_replication_slot(slot_name)" + SLOT, slot);
        }

        /** The server waits for the transactions that have written, of which one may wait for the locked tables. */
        private void makeSlot() throws SQLException {
            Sql.execute(source, "SET LOCAL statement_timeout = 10000");
            Sql.rows(source, "SELECT pg_create_logical_replication_slot(?, 'pgoutput')", slot);
            Sql.execute(source, "SET LOCAL statement_timeout TO DEFAULT");
        }

        private void fill(ReplicationSource reach) throws SQLException {
            Map<String, CopiedTable> copies = byName(structure(target, names));
            List<String> ours = Sql.strings(target, COPIES);
            Sql.execute(target, timeout());
            Sql.execute(target, "CREATE SCHEMA IF NOT EXISTS " + Sql.name(global.schema()));
            Sql.execute(target, REFUSE);
            for (CopiedTable original : originals) {
                CopiedTable copy = copies.get(original.name());
                if (copy != null && !ours.contains(original.table())) {
                    throw new MoveRefusedException("Database " + database + " has a table " + original.table()
                            + " that is no copy. Drop it, or rename it.");
                }
                Sql.execute(target, copy == null ? original.create() : original.alter(copy));
                original.fill(source, target);
                Sql.execute(target, original.complete());
            }
            ReplicationEndpoint.subscribe(
                    target,
                    slot,
                    ReplicationEndpoint.connectionString(reach),
                    "PUBLICATION " + PUBLICATION
                            + " WITH (create_slot = false, copy_data = false, synchronous_commit = 'on',"
                            + " slot_name = " + Sql.literal(slot) + ")");
        }
    }
}
