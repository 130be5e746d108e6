package io.github.shardedid.move.internal.step;

import io.github.shardedid.WayOut;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.internal.replication.HeldConnections;
import io.github.shardedid.move.internal.replication.MoveJournal;
import io.github.shardedid.move.internal.replication.ShardTables;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copies of a shard in all databases, after one of them was restored from a backup. Makes one the shard, if it has no owner, and fences
 * outdated ones. Deletes nothing.
 */
public final class ShardRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(ShardRecovery.class);
    private static final List<String> SERVED = List.of(StoredShard.ACTIVE, StoredShard.MOVING, StoredShard.FENCING);
    private static final List<String> UNFINISHED = List.of(StoredShard.RECEIVING, "CREATING");
    static final String SCHEMAS = Sql.load(ShardRecovery.class, "schemas_of_copies.sql");
    private static final String CLOSE_MOVES = Sql.load(ShardRecovery.class, "close_moves.sql");
    private static final String LEASES = Sql.load(ShardRecovery.class, "recover_leases.sql");
    private static final String OWN = Sql.load(ShardRecovery.class, "own_shard.sql");
    private static final String UNFENCE = Sql.load(ShardRecovery.class, "unfence.sql");
    private static final String PUBLICATIONS = Sql.load(ShardRecovery.class, "publications_of_moves.sql");
    private static final String LOCK_TIMEOUT = "SET LOCAL synchronous_commit = on; SET LOCAL lock_timeout = '10s'";

    /** Steps from which on the target may own the shard. */
    private static final Set<MoveStep> TAKEN = Set.of(MoveStep.SWITCH, MoveStep.CLEAN_UP, MoveStep.DONE);

    private final int shard;
    private final String own;
    private final Map<String, Copy> copies = new TreeMap<>();
    private final Set<String> clusters = new HashSet<>();

    /** The copy of one database. */
    private record Copy(Connection connection, @Nullable StoredShard row, @Nullable String schema, List<Move> journal) {
        boolean is(List<String> states) {
            return row != null && states.contains(row.state());
        }

        boolean owns() {
            return is(SERVED) || is(List.of(StoredShard.FENCED));
        }

        long generation() {
            return row == null ? 0 : row.generation();
        }
    }

    /** Reads the copies of all databases, because each may own the shard. The connections hold the lock of the shard. */
    public ShardRecovery(HeldConnections held, Set<String> databases, int shard) throws SQLException {
        this.shard = shard;
        this.own = ShardSchema.nameOf(shard);
        for (String name : databases) {
            try {
                copies.put(name, read(name, held.lock(name)));
            } catch (SQLException e) {
                throw refused("another database may own shard " + shard + ". " + FailureReason.of(e) + ".");
            }
        }
        if (clusters.size() > 1) {
            throw refused("the databases " + databases + " belong to different clusters. Configure those of one only.");
        }
        long newest = newestGeneration();
        copies.values().stream()
                .flatMap(copy -> copy.journal().stream())
                .filter(move -> TAKEN.contains(move.step()) && move.generation() + 1 >= newest)
                .filter(move -> !databases.contains(move.target()))
                .findFirst()
                .ifPresent(move -> {
                    throw refused("it has moved from " + move.source() + " to database " + move.target()
                            + ", which is not configured here, and may own it. Configure it.");
                });
    }

    private Copy read(String name, Connection connection) throws SQLException {
        if (!Sql.is(connection, "SELECT to_regclass('sharded_id.move') IS NOT NULL")) {
            return new Copy(connection, null, null, List.of());
        }
        clusters.add(String.valueOf(Sql.text(connection, "SELECT cluster_id FROM sharded_id.cluster")));
        String stored = Sql.text(connection, "SELECT database_name FROM sharded_id.cluster");
        if (!name.equals(stored)) {
            throw refused("the database asked as " + name + " was provisioned under the name " + stored
                    + ". Correct its URL.");
        }
        StoredShard row = StoredShard.read(connection, shard);
        boolean unfinished = row != null && UNFINISHED.contains(row.state());
        String complete = schemas(connection).stream()
                .filter(schema -> !unfinished || !schema.equals(own))
                .findFirst()
                .orElse(null);
        List<Move> journal = MoveJournal.all(connection).stream()
                .filter(move -> move.shard() == shard)
                .toList();
        return new Copy(connection, row, complete, journal);
    }

    /** The schema with the shard's own name first, which an operator may have restored; then the schema that was fenced last. */
    private List<String> schemas(Connection connection) throws SQLException {
        return Sql.strings(connection, SCHEMAS, own);
    }

    private MoveRefusedException refused(String why) {
        return new MoveRefusedException("Shard " + shard + " is not recovered: " + why + " Nothing was changed.");
    }

    /** The database that owns the shard by the rules of the shard map; null if none does, or several do in the same generation. */
    private @Nullable String owner() {
        long owned = newest(Copy::owns);
        List<String> owners = copies.keySet().stream()
                .filter(name -> of(name).owns() && of(name).generation() == owned)
                .toList();
        return owned >= newest(copy -> copy.is(List.of(StoredShard.MOVED))) && owners.size() == 1
                ? owners.get(0)
                : null;
    }

    private Copy of(String database) {
        return Objects.requireNonNull(copies.get(database));
    }

    private long newest(Predicate<Copy> which) {
        return copies.values().stream()
                .filter(which)
                .mapToLong(Copy::generation)
                .max()
                .orElse(0);
    }

    /** The highest generation that any database knows. */
    private long newestGeneration() {
        return Math.max(
                newest(copy -> true),
                copies.values().stream()
                        .flatMap(copy -> copy.journal().stream())
                        .mapToLong(move -> move.generation() + (TAKEN.contains(move.step()) ? 1 : 0))
                        .max()
                        .orElse(0));
    }

    /** A line for each database. */
    public List<String> report() {
        List<String> report = new ArrayList<>();
        copies.forEach((name, copy) -> report.add("Shard " + shard + " in database " + name + ": "
                + (copy.row() == null ? "not known" : copy.row().state() + " in generation " + copy.generation())
                + ", " + (copy.schema() == null ? "no copy to take" : "copy in schema " + copy.schema())));
        return report;
    }

    /** Fences the other copies first, so that never two databases serve the shard. Can be run again after a failure. */
    public void run(String database) throws SQLException {
        if (!copies.containsKey(database)) {
            throw refused("there is no database " + database + ": configured are " + copies.keySet() + ".");
        }
        Copy chosen = of(database);
        String owner = owner();
        if (owner != null && !owner.equals(database)) {
            throw refused("database " + owner + " owns it. Move it if it is to be in " + database
                    + "; copies of it that are older are fenced by " + WayOut.RECOVER.of(shard, owner) + ".");
        }
        if (owner != null
                && chosen.generation() == newest(copy -> true)
                && chosen.journal().stream().anyMatch(move -> !move.step().ended())) {
            throw refused("a move of it from " + database
                    + " is unfinished. Resume or abort that: " + WayOut.RESUME_MOVE.of(shard)
                    + " or " + WayOut.ABORT_MOVE.of(shard) + ".");
        }
        String schema = chosen.schema();
        if (schema == null) {
            throw refused("database " + database
                    + " has no complete copy of it, fenced or not. Choose another database; " + WayOut.COPIES.of(shard)
                    + " shows what each has. If there is none, restore a newer backup.");
        }
        long generation = owner == null ? newestGeneration() + 1 : chosen.generation();
        for (Map.Entry<String, Copy> other : copies.entrySet()) {
            // A FENCED copy is blocked already.
            if (!other.getKey().equals(database) && other.getValue().is(SERVED)) {
                setAside(other.getKey(), other.getValue());
            }
        }
        if (owner == null || !chosen.is(List.of(StoredShard.ACTIVE))) {
            Sql.transaction(chosen.connection(), () -> take(chosen, schema, generation));
        }
        LOG.info("Shard {}: database {} owns it, in generation {}", shard, database, generation);
    }

    private void setAside(String name, Copy other) throws SQLException {
        Sql.transaction(other.connection(), () -> {
            Sql.execute(other.connection(), LOCK_TIMEOUT);
            String schema =
                    Sql.text(other.connection(), "SELECT sharded_id.set_aside(?, ?)", shard, other.generation());
            if (schema == null) {
                throw refused("its copy in database " + name
                        + " has changed meanwhile, or another session of a mover is at work on it. Run it again.");
            }
            LOG.info("Shard {}: the older copy in database {} is fenced as {}", shard, name, schema);
        });
    }

    private void take(Copy chosen, String schema, long generation) throws SQLException {
        Connection connection = chosen.connection();
        Sql.execute(connection, LOCK_TIMEOUT);
        Map<String, Sequences.Value> before = Sequences.used(connection, schema);
        Sql.execute(connection, ShardTables.allowWrites(connection, schema));
        if (!schema.equals(own)) {
            unfence(connection, schema);
        }
        // Above the ids of all copies, including fenced ones and those of the other databases.
        Sql.execute(connection, Sequences.lock(connection, own));
        Sequences.raise(connection, own, before);
        for (Copy copy : copies.values()) {
            for (String each : schemas(copy.connection())) {
                Sequences.raise(connection, own, Sequences.used(copy.connection(), each));
            }
        }
        Sql.update(connection, LEASES.formatted(own), own);
        Sql.update(connection, CLOSE_MOVES, shard);
        dropLeftPublications(connection, shard);
        Sql.update(connection, OWN, shard, generation, !schema.equals(own) || chosen.owns());
    }

    /** Runs the statements that the fence has recorded. A copy that {@code set_aside} has fenced is only renamed. */
    private void unfence(Connection connection, String schema) throws SQLException {
        if (Sql.is(connection, "SELECT to_regnamespace(?) IS NOT NULL", own)) {
            throw refused("its database has both a schema " + own + ", which is no complete copy, and " + schema
                    + ". Rename the one that is not the shard.");
        }
        String rename = "ALTER SCHEMA " + schema + " RENAME TO " + own;
        List<String> remembered = Sql.strings(connection, UNFENCE, shard, rename);
        Sql.execute(connection, remembered.isEmpty() ? List.of(rename) : remembered);
    }

    /** Drops those of a shard of which no move is unfinished. */
    static void dropLeftPublications(Connection connection, int shard) throws SQLException {
        for (String publication : Sql.strings(connection, PUBLICATIONS, shard)) {
            Sql.execute(connection, "DROP PUBLICATION " + publication);
        }
    }
}
