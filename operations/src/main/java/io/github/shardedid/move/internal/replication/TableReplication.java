package io.github.shardedid.move.internal.replication;

import io.github.shardedid.WayOut;
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
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
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
    private static final String UNUSED = Sql.load(TableReplication.class, "unused_slots.sql");

    private static final String STEPS = Sql.load(TableReplication.class, "replicated_steps.sql");

    /** In the original, rows may be deleted only one by one: a copy to which foreign keys refer cannot be truncated. */
    private static final String PUBLISH = Sql.load(TableReplication.class, "publish_table.sql");

    private static final String SUBSCRIBED = Sql.load(TableReplication.class, "subscribed_tables.sql");

    private static final String REFERRING = Sql.load(TableReplication.class, "referring_keys.sql");

    private static final String SLOT_NAME = Sql.load(TableReplication.class, "replicated_slot_name.sql");

    private static final String END_USE = Sql.load(TableReplication.class, "end_use_of_slot.sql");
    private static final String DROP_SLOT = Sql.load(TableReplication.class, "drop_slot.sql");

    private static final String ACTIVE = "SELECT shard FROM sharded_id.shard WHERE state = 'ACTIVE' AND shard < ?";

    private static final String LEFT =
            "Database {} is not configured here and does not use replication slot {}, for which database {} keeps its log. The slot stays,"
                    + " since the configured databases that can be reached do not serve all shards. If that database has left the"
                    + " cluster, start an instance with all others.";

    private static final String REFERRED =
            " The copies have rows that were deleted in the global database, and to which rows of shards refer."
                    + " Insert these rows again, or remove the references; then start an instance.";

    private static final String HAS_COPIES = Sql.load(TableReplication.class, "has_copies.sql");

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
        Structure originals;
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
                boolean referred = e instanceof SQLException sql && "23503".equals(sql.getSQLState());
                obstacles.put(database, FailureReason.of(e) + (referred ? REFERRED : ""));
            }
        }
        return obstacles;
    }

    /**
     * Returns whether the copies of a database get changes, if it has any. Asked before a shard is moved there: the slot of a database
     * without shards may have been dropped.
     */
    public static boolean isFed(String name, Connection database, Map<String, DataSource> databases)
            throws SQLException {
        String slot = String.valueOf(Sql.text(database, SLOT_NAME, name));
        return !Sql.is(database, HAS_COPIES)
                || Inquiry.pinned(ANSWER, (other, connection) -> Sql.is(connection, Replication.KEEPS_LOG, slot))
                        .ask(databases)
                        .results()
                        .containsValue(true);
    }

    /**
     * Drops the slots of databases that have left the cluster, and of a former cluster: the server would keep its log for them for ever.
     * The configuration does not decide, for it may be an old one, or name a part of the cluster; nor is a list of all databases stored.
     * So a database has left if those of the configuration serve all shards, and nobody uses its slot.
     */
    private void dropUnused(Connection source) throws SQLException {
        List<List<@Nullable String>> unused = Sql.rows(source, UNUSED, List.copyOf(databases.keySet()));
        boolean all = !unused.isEmpty() && areAllShardsHere(source);
        for (List<@Nullable String> each : unused) {
            String slot = each.get(0);
            try {
                if (each.get(1) == null || all) {
                    // Fails if somebody has begun to use the slot; then the row stays.
                    Sql.rows(source, DROP_SLOT, slot);
                    Sql.update(source, "DELETE FROM sharded_id.replicated WHERE slot_name = ?", slot);
                    LOG.info("Dropped replication slot {}, which nobody needs any more", slot);
                } else {
                    LOG.warn(LEFT, each.get(1), slot, global.database());
                }
            } catch (SQLException e) {
                LOG.warn("Replication slot {} was not dropped: {}", slot, FailureReason.of(e));
            }
        }
    }

    /** A shard that is being moved counts as missing: nobody but its journal knows where it will be. */
    private boolean areAllShardsHere(Connection source) throws SQLException {
        long count = Sql.number(source, "SELECT shard_count FROM sharded_id.cluster");
        Inquiry<List<String>> active =
                Inquiry.pinned(ANSWER, (name, connection) -> Sql.strings(connection, ACTIVE, count));
        return active.ask(databases).results().values().stream()
                        .flatMap(List::stream)
                        .distinct()
                        .count()
                == count;
    }

    private void replicate(String database, Structure originals) throws SQLException {
        try (Connection source = connect(global.database());
                Connection target = connect(database)) {
            SearchPath.pinned(
                    source,
                    () -> SearchPath.pinned(target, () -> {
                        try (SessionLock lock = SessionLock.take(database, target, SessionLock.DATABASE)) {
                            String slot = String.valueOf(Sql.text(source, SLOT_NAME, database));
                            new Copies(this, database, source, target, slot, originals).update();
                            return true;
                        }
                    }));
        }
    }

    private Connection connect(String database) throws SQLException {
        return HeldConnections.data(databases, database).getConnection();
    }

    private Structure structure(Connection connection, Collection<String> names) throws SQLException {
        return new Structure(Sql.rows(connection, STRUCTURE, global.schema(), List.copyOf(names)));
    }

    /** Returns all published tables, of which other applications may need some, the given ones among them. */
    private Structure published(Connection source) throws SQLException {
        try (SessionLock lock = SessionLock.take(global.database(), source, SessionLock.DATABASE)) {
            Sql.execute(source, SLOTS);
            Sql.execute(source, REFUSE);
            Set<String> published = new TreeSet<>(Sql.strings(source, PUBLISHED, PUBLICATION));
            Set<String> keyed = structure(source, tables).tables("key");
            for (String name : tables) {
                if (!keyed.contains(name)) {
                    throw new MoveRefusedException(
                            "Table " + global.schema() + "." + name + " of database " + global.database()
                                    + " is to be replicated, but is missing, or has no primary key as its replica"
                                    + " identity. Create it, and its key, by a global migration ("
                                    + WayOut.GLOBAL_MIGRATIONS.of() + ").");
                } else if (published.add(name)) {
                    Sql.execute(source, PUBLISH.formatted(ShardTables.qualified(global.schema(), name)));
                }
            }
            dropUnused(source);
            return structure(source, published);
        }
    }

    /**
     * What copies of tables have in common with the originals.
     *
     * @param parts each with table, kind (column, generated, key, constraint, index, or reader), name and definition, in the order in which
     *     they are made
     */
    private record Structure(List<List<@Nullable String>> parts) {
        Set<String> tables(String kind) {
            return parts.stream()
                    .filter(part -> kind.equals(part.get(1)))
                    .map(part -> String.valueOf(part.get(0)))
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        List<@Nullable String> values(int column) {
            return parts.stream()
                    .<@Nullable String>map(part -> part.get(column))
                    .toList();
        }
    }

    /** The copies in one database. */
    private record Copies(
            TableReplication all,
            String database,
            Connection source,
            Connection target,
            String slot,
            Structure originals) {
        void update() throws SQLException {
            DataSource data = HeldConnections.data(all.databases, all.global.database());
            DataSource copies = HeldConnections.data(all.databases, database);
            ReplicationSource reach = ReplicationEndpoint.of(all.global.database(), data, source, all.options);
            Set<String> names = originals.tables("column");
            Structure present = all.structure(target, names);
            // A copy that was emptied, or restored from a backup, has other rows, as has one that is just behind: it
            // gets them sooner.
            if (isFed(names)
                    && originals.equals(present)
                    && ContentComparison.isSame(data, copies, source, PUBLICATION, all.global.schema())) {
                ReplicationEndpoint.reconnect(target, slot, reach);
                return;
            }
            checkKeys(present);
            List<String> obstacles = new ReplicationTrial(
                            "Database " + all.global.database(), source, "Database " + database, target)
                    .run(reach);
            if (!obstacles.isEmpty()) {
                throw new MoveRefusedException(String.join(" ", obstacles));
            }
            for (int attempt = 1; !rebuilt(reach, names, attempt == ATTEMPTS); attempt++) {
                LOG.debug("Database {}: replicated tables are in use; trying again", database);
            }
            LOG.info("Database {}: has copies of {} from {}", database, names, reach);
        }

        /**
         * Refuses what would fail in the middle, when no copy is fed any more: a copy with another primary key is re-created, which foreign
         * keys to it forbid.
         */
        private void checkKeys(Structure present) throws SQLException {
            List<List<@Nullable String>> same = new ArrayList<>(present.parts());
            same.retainAll(originals.parts());
            Set<String> changed = present.tables("key");
            changed.removeAll(new Structure(same).tables("key"));
            List<String> referring = Sql.strings(target, REFERRING, all.global.schema(), List.copyOf(changed));
            if (!referring.isEmpty()) {
                throw new MoveRefusedException(
                        "The primary keys of the originals of " + changed + " differ from those of the"
                                + " copies, to which foreign keys refer: " + referring
                                + ". Drop all foreign keys to these copies by a"
                                + " migration of shards, start again, and add them by another one.");
            }
        }

        /** Returns whether changes of the originals arrive, now or when the database is reached again. */
        private boolean isFed(Set<String> names) throws SQLException {
            return Sql.is(source, Replication.KEEPS_LOG, slot) && Sql.number(target, SUBSCRIBED, slot) == names.size();
        }

        private boolean rebuilt(ReplicationSource reach, Set<String> names, boolean last) throws SQLException {
            Replication.unsubscribe(target, PUBLICATION); // also those of a former cluster
            dropSlot();
            Sql.update(
                    source, "INSERT INTO sharded_id.replicated VALUES (?, ?) ON CONFLICT DO NOTHING", slot, database);
            try {
                Sql.transaction(source, () -> {
                    String lock = "LOCK TABLE " + ShardTables.list(all.global.schema(), List.copyOf(names))
                            + " IN SHARE MODE";
                    // The server waits for the transactions that have written, of which one may wait for the locked
                    // tables.
                    Sql.execute(source, List.of(timeout(), lock, "SET LOCAL statement_timeout = 10000"));
                    Sql.rows(source, "SELECT pg_create_logical_replication_slot(?, 'pgoutput')", slot);
                    Sql.execute(source, "SET LOCAL statement_timeout TO DEFAULT");
                    Sql.transaction(target, () -> fill(reach, names));
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
            return "SET LOCAL lock_timeout = " + all.options.lockTimeout().toMillis();
        }

        private void dropSlot() throws SQLException {
            Sql.rows(source, END_USE, slot);
            Sql.rows(source, DROP_SLOT, slot);
        }

        private void fill(ReplicationSource reach, Set<String> names) throws SQLException {
            Structure copies = all.structure(target, names);
            List<String> others = new ArrayList<>(copies.tables("column").stream()
                    .map(name -> ShardTables.qualified(all.global.schema(), name))
                    .toList());
            others.removeAll(Sql.strings(target, COPIES));
            if (!others.isEmpty()) {
                throw new MoveRefusedException("Database " + database + " has tables " + others
                        + " that are no copies. Drop them, or rename them.");
            }
            Sql.execute(
                    target, List.of(timeout(), "CREATE SCHEMA IF NOT EXISTS " + Sql.name(all.global.schema()), REFUSE));
            List<Object> parameters = new ArrayList<>(List.of(all.global.schema()));
            Stream.of(originals, copies)
                    .forEach(each -> IntStream.range(0, 4).forEach(column -> parameters.add(each.values(column))));
            for (List<@Nullable String> step : Sql.rows(target, STEPS, parameters.toArray())) {
                String statement = String.valueOf(step.get(1));
                String original = step.get(0);
                if (original == null) {
                    Sql.execute(target, statement);
                } else {
                    ShardTables.copy(source, original, target, statement);
                }
            }
            String options = "create_slot = false, copy_data = false, synchronous_commit = 'on', slot_name = ";
            ReplicationEndpoint.subscribe(target, slot, reach, PUBLICATION, options + Sql.literal(slot));
        }
    }
}
