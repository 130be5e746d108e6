package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.ShardCopy;
import io.github.shardedid.move.internal.replication.HeldConnections;
import io.github.shardedid.move.internal.replication.MoveJournal;
import io.github.shardedid.move.internal.replication.MoveNames;
import io.github.shardedid.move.internal.replication.ShardTables;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The copies of one shard in all databases. */
public final class ShardCopies {
    private static final List<String> UNFINISHED = List.of(StoredShard.RECEIVING, "CREATING");
    private static final List<String> OWNING =
            List.of(StoredShard.ACTIVE, StoredShard.MOVING, StoredShard.FENCING, StoredShard.FENCED);

    /** Steps from which on the target may own the shard. */
    private static final Set<MoveStep> TAKEN = Set.of(MoveStep.SWITCH, MoveStep.CLEAN_UP, MoveStep.DONE);

    private final int shard;
    private final Map<String, Copy> byDatabase = new TreeMap<>();

    /** The copy of one database. */
    record Copy(Connection connection, @Nullable StoredShard row, @Nullable String schema, List<Move> journal) {
        boolean owns() {
            return row != null && OWNING.contains(row.state());
        }

        boolean serves() {
            return row != null && row.state().equals(StoredShard.ACTIVE);
        }

        long generation() {
            return row == null ? 0 : row.generation();
        }

        boolean isMoving() {
            return journal.stream().anyMatch(move -> !move.step().ended());
        }
    }

    private ShardCopies(int shard) {
        this.shard = shard;
    }

    /** Reads the copies of all databases, because each may own the shard. The connections hold the lock of the shard. */
    public static ShardCopies read(HeldConnections held, Set<String> databases, int shard) throws SQLException {
        ShardCopies copies = new ShardCopies(shard);
        Set<String> clusters = new HashSet<>();
        for (String name : databases) {
            copies.byDatabase.put(name, read(name, reached(held, name, shard), shard, clusters));
        }
        if (clusters.size() > 1) {
            throw new MoveRefusedException("The databases " + databases + " belong to different clusters. Configure the"
                    + " databases of one cluster only; nothing was changed.");
        }
        copies.requireKnown(databases);
        return copies;
    }

    private static Connection reached(HeldConnections held, String name, int shard) {
        try {
            return held.lock(name);
        } catch (SQLException e) {
            throw new MoveRefusedException("Database " + name + " cannot be reached, and may own shard " + shard + ": "
                    + FailureReason.of(e) + ". Nothing was changed.");
        }
    }

    private static Copy read(String name, Connection connection, int shard, Set<String> clusters) throws SQLException {
        if (!Sql.is(connection, "SELECT to_regclass('sharded_id.move') IS NOT NULL")) {
            return new Copy(connection, null, null, List.of());
        }
        Sql.rows(connection, "SELECT cluster_id, database_name FROM sharded_id.cluster")
                .forEach(cluster -> {
                    clusters.add(String.valueOf(cluster.get(0)));
                    if (!name.equals(cluster.get(1))) {
                        throw new MoveRefusedException("The database asked as " + name + " was provisioned under the"
                                + " name " + cluster.get(1) + ". Correct its URL; nothing was changed.");
                    }
                });
        StoredShard row = StoredShard.read(connection, shard);
        List<Move> journal = MoveJournal.all(connection).stream()
                .filter(move -> move.shard() == shard)
                .toList();
        boolean unfinished = row != null && UNFINISHED.contains(row.state());
        String complete = schemas(connection, shard).stream()
                .filter(schema -> !unfinished || !schema.equals(ShardSchema.nameOf(shard)))
                .findFirst()
                .orElse(null);
        return new Copy(connection, row, complete, journal);
    }

    /** The schema with the shard's own name first, which an operator may have restored; then the schema that was fenced last. */
    static List<String> schemas(Connection connection, int shard) throws SQLException {
        String own = ShardSchema.nameOf(shard);
        return Sql.strings(
                connection,
                "SELECT nspname FROM pg_namespace WHERE nspname = ? OR nspname ~ ('^' || ? || '_fenced_[0-9]+$')"
                        + " ORDER BY nspname = ? DESC, length(nspname) DESC, nspname DESC",
                own,
                own,
                own);
    }

    /** Refuses to continue if the shard may be in a database that is not configured. */
    private void requireKnown(Set<String> databases) {
        long newest = newestGeneration();
        byDatabase.values().stream()
                .flatMap(copy -> copy.journal().stream())
                .filter(move -> TAKEN.contains(move.step()))
                .filter(move -> move.generation() + 1 >= newest && !databases.contains(move.target()))
                .findFirst()
                .ifPresent(move -> {
                    throw new MoveRefusedException("Shard " + shard + " has moved from " + move.source()
                            + " to database " + move.target() + ", which is not configured here, and may own it."
                            + " Configure it; nothing was changed.");
                });
    }

    Copy of(String database) {
        Copy copy = byDatabase.get(database);
        if (copy == null) {
            throw new MoveRefusedException("There is no database " + database + ": configured are "
                    + byDatabase.keySet() + ". Nothing was changed.");
        }
        return copy;
    }

    Collection<Copy> all() {
        return byDatabase.values();
    }

    Map<String, Copy> others(String database) {
        Map<String, Copy> others = new TreeMap<>(byDatabase);
        others.remove(database);
        return others;
    }

    /** The database that owns the shard by the rules of the shard map; null if none does, or several do in the same generation. */
    @Nullable
    String owner() {
        long owned = newest(Copy::owns);
        long left = newest(copy -> copy.row() != null && copy.row().state().equals(StoredShard.MOVED));
        List<String> owners = byDatabase.entrySet().stream()
                .filter(each -> each.getValue().owns() && each.getValue().generation() == owned)
                .map(Map.Entry::getKey)
                .toList();
        return owned >= left && owners.size() == 1 ? owners.get(0) : null;
    }

    private long newest(Predicate<Copy> which) {
        return byDatabase.values().stream()
                .filter(which)
                .mapToLong(Copy::generation)
                .max()
                .orElse(0);
    }

    /** The highest generation that any database knows; 0 if there is none. */
    long newestGeneration() {
        long newest = 0;
        for (Copy copy : byDatabase.values()) {
            newest = Math.max(newest, copy.generation());
            for (Move move : copy.journal()) {
                newest = Math.max(newest, move.generation() + (TAKEN.contains(move.step()) ? 1 : 0));
            }
        }
        return newest;
    }

    /** The copies with their numbers of rows. */
    public List<ShardCopy> report() throws SQLException {
        List<ShardCopy> report = new ArrayList<>();
        for (Map.Entry<String, Copy> each : byDatabase.entrySet()) {
            Copy copy = each.getValue();
            StoredShard row = copy.row();
            report.add(new ShardCopy(
                    shard,
                    each.getKey(),
                    row == null ? null : row.state(),
                    copy.generation(),
                    copy.schema(),
                    copy.schema() == null ? List.of() : tables(copy.connection(), copy.schema())));
        }
        return report;
    }

    private static List<ShardCopy.Table> tables(Connection connection, String schema) throws SQLException {
        Map<String, Long> newest = Sequences.largestByTable(connection, schema);
        List<ShardCopy.Table> tables = new ArrayList<>();
        for (String table : ShardTables.copied(connection, schema)) {
            if (!table.equals(MoveNames.LEASES)) {
                long rows = Sql.number(connection, "SELECT count(*) FROM " + ShardTables.qualified(schema, table));
                tables.add(new ShardCopy.Table(table, rows, newest.get(table)));
            }
        }
        return tables;
    }
}
