package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.internal.replication.MoveNames;
import io.github.shardedid.move.internal.replication.ShardTables;
import io.github.shardedid.move.internal.step.ShardCopies.Copy;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Recovers a shard that has no owner, or outdated copies, after a restore: makes one copy the shard. Deletes nothing. */
public final class ShardRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(ShardRecovery.class);
    private static final List<String> SERVED = List.of(StoredShard.ACTIVE, StoredShard.MOVING, StoredShard.FENCING);
    private static final int LOCK_TIMEOUT_SECONDS = 10;

    private final int shard;
    private final String database;
    private final ShardCopies copies;
    private final Copy chosen;

    public ShardRecovery(int shard, String database, ShardCopies copies) {
        this.shard = shard;
        this.database = database;
        this.copies = copies;
        this.chosen = copies.of(database);
    }

    /** Fences the other copies first, so that never two databases serve the shard. Can be run again after a failure. */
    public void run() throws SQLException {
        requireFree();
        String schema = chosen.schema();
        if (schema == null) {
            throw refused("database " + database
                    + " has no complete copy of it, fenced or not. Choose another database;" + " --sharded-id.recover="
                    + shard + " shows what each has. If there is none, restore a newer backup.");
        }
        long generation = copies.owner() == null ? copies.newestGeneration() + 1 : chosen.generation();
        for (Map.Entry<String, Copy> other : copies.others(database).entrySet()) {
            setAside(other.getKey(), other.getValue());
        }
        if (!database.equals(copies.owner()) || !chosen.serves()) {
            Sql.transaction(chosen.connection(), () -> take(schema, generation));
        }
        LOG.info("Shard {}: database {} owns it, in generation {}", shard, database, generation);
    }

    private void requireFree() {
        String owner = copies.owner();
        if (owner != null && !owner.equals(database)) {
            throw refused("database " + owner + " owns it. Move it if it is to be in " + database
                    + "; copies of it that are older are fenced by --sharded-id.recover=" + shard + ":" + owner + ".");
        }
        boolean outdone =
                copies.others(database).values().stream().anyMatch(other -> other.generation() > chosen.generation());
        if (owner != null && chosen.isMoving() && !outdone) {
            throw refused("a move of it from " + database
                    + " is unfinished. Resume or abort that: --sharded-id.resume-move=" + shard
                    + " or --sharded-id.abort-move=" + shard + ".");
        }
    }

    private MoveRefusedException refused(String why) {
        return new MoveRefusedException("Shard " + shard + " is not recovered: " + why + " Nothing was changed.");
    }

    private void setAside(String name, Copy other) throws SQLException {
        if (other.row() == null || !SERVED.contains(other.row().state())) {
            // A FENCED copy is blocked already.
            return;
        }
        Optional<String> fenced = Sql.transaction(other.connection(), () -> {
            Sql.execute(other.connection(), "SET LOCAL lock_timeout = '" + LOCK_TIMEOUT_SECONDS + "s'");
            return Optional.ofNullable(
                    Sql.text(other.connection(), "SELECT sharded_id.set_aside(?, ?)", shard, other.generation()));
        });
        String schema = fenced.orElseThrow(() -> refused("its copy in database " + name
                + " has changed meanwhile, or another session of a mover is at work on it. Run it again."));
        LOG.info("Shard {}: the older copy in database {} is fenced as {}", shard, name, schema);
    }

    private void take(String schema, long generation) throws SQLException {
        Connection connection = chosen.connection();
        String own = ShardSchema.nameOf(shard);
        Sql.execute(
                connection,
                "SET LOCAL synchronous_commit = on; SET LOCAL lock_timeout = '" + LOCK_TIMEOUT_SECONDS + "s'");
        List<Sequences.Used> before = Sequences.used(connection, schema);
        Sql.execute(connection, ShardTables.allowWrites(connection, schema));
        if (!schema.equals(own)) {
            unfence(schema, own);
        }
        raiseSequences(before);
        Sql.update(
                connection,
                "UPDATE " + ShardTables.qualified(own, MoveNames.LEASES)
                        + " SET server = NULL, window_end = greatest(window_end,"
                        + " sharded_id.sequences_end(?)) WHERE node = -1",
                own);
        Sql.update(
                connection,
                "UPDATE sharded_id.move SET step = 'ABORTED', changed = clock_timestamp(), failure = 'closed when the"
                        + " shard was recovered here' WHERE shard = ? AND step NOT IN ('DONE', 'ABORTED')",
                shard);
        dropLeftPublications(connection, shard);
        Sql.update(
                connection,
                "INSERT INTO sharded_id.shard AS s (shard, generation, state) VALUES (?, ?, ?) ON CONFLICT (shard)"
                        + " DO UPDATE SET generation = excluded.generation, state = excluded.state,"
                        + " migrations = CASE WHEN ? THEN s.migrations END",
                shard,
                generation,
                StoredShard.ACTIVE,
                !schema.equals(own) || chosen.owns());
    }

    /** Raises the sequences above the ids of all copies, including fenced ones and those of the other databases. */
    private void raiseSequences(List<Sequences.Used> before) throws SQLException {
        Connection connection = chosen.connection();
        String own = ShardSchema.nameOf(shard);
        Sql.execute(connection, Sequences.lock(connection, own));
        Sequences.raise(connection, own, before);
        for (Copy copy : copies.all()) {
            for (String schema : ShardCopies.schemas(copy.connection(), shard)) {
                Sequences.raise(connection, own, Sequences.used(copy.connection(), schema));
            }
        }
    }

    /** Runs the statements that the fence has recorded. A copy that {@code set_aside} has fenced is only renamed. */
    private void unfence(String schema, String own) throws SQLException {
        Connection connection = chosen.connection();
        if (Sql.is(connection, "SELECT to_regnamespace(?) IS NOT NULL", own)) {
            throw refused("database " + database + " has both a schema " + own + ", which is no complete copy, and "
                    + schema + ". Rename the one that is not the shard.");
        }
        String rename = "ALTER SCHEMA " + schema + " RENAME TO " + own;
        List<String> remembered = Sql.strings(
                connection,
                "SELECT unnest(unfence) FROM (SELECT unfence FROM sharded_id.move WHERE shard = ? AND unfence[1] = ?"
                        + " ORDER BY started DESC LIMIT 1) m",
                shard,
                rename);
        Sql.execute(connection, remembered.isEmpty() ? List.of(rename) : remembered);
    }

    /** Drops those of a shard of which no move is unfinished. */
    static void dropLeftPublications(Connection connection, int shard) throws SQLException {
        for (String publication : Sql.strings(
                connection,
                "SELECT quote_ident(pubname) FROM pg_publication WHERE pubname ~ ('^sharded_id_move_' || ? || '_[0-9a-f]+$')",
                shard)) {
            Sql.execute(connection, "DROP PUBLICATION " + publication);
        }
    }
}
