package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveUnfinishedException;
import io.github.shardedid.move.internal.replication.MoveNames;
import io.github.shardedid.move.internal.replication.ShardTables;
import io.github.shardedid.move.internal.step.ShardCopies.Copy;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.operations.internal.StructureComparison;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces a shard's rows by those of a backup, within the schema that is there and by one commit. Clients that know an older map, and
 * transactions with an older snapshot, see the rows before it or after it: so rows are deleted, not truncated. The leases of JVM ids
 * stay, since those that were granted after the backup are valid still.
 */
public final class ShardRestore {
    private static final Logger LOG = LoggerFactory.getLogger(ShardRestore.class);

    /** A fence of a move has renamed the schema. */
    private static final String LEFT =
            " FROM sharded_id.shard s WHERE s.state = 'FENCED' AND to_regnamespace('shard_' ||"
                    + " lpad(s.shard::text, greatest(4, length(s.shard::text)), '0')) IS NOT NULL AND NOT EXISTS (SELECT FROM"
                    + " sharded_id.move m WHERE m.shard = s.shard AND m.step NOT IN ('DONE', 'ABORTED'))";

    private final int shard;
    private final String schema;
    private final ShardCopies copies;
    private final BackupCopy backup;
    private final ShardMigrations migrations;
    private final MoveOptions options;

    /** Changes nothing yet. The copies' connections hold the lock of the shard. */
    public ShardRestore(
            int shard, ShardCopies copies, BackupCopy backup, ShardMigrations migrations, MoveOptions options) {
        this.shard = shard;
        this.schema = ShardSchema.nameOf(shard);
        this.copies = copies;
        this.backup = backup;
        this.migrations = migrations;
        this.options = options;
    }

    /** Can be run again after a failure. */
    public void run() throws SQLException {
        String database = owner();
        Copy living = copies.of(database);
        Connection connection = living.connection();
        backup.require(connection);
        migrations.migrate(backup.connection(), database, shard);
        requireSame(connection);
        String state = living.serves() ? StoredShard.ACTIVE : StoredShard.FENCED;
        Sql.transaction(connection, () -> {
            Sql.execute(connection, "SET LOCAL synchronous_commit = on");
            if (!StoredShard.setState(connection, shard, StoredShard.FENCED, state)) {
                throw refused("its state in database " + database + " has changed meanwhile. Run it again.");
            }
        });
        try {
            TargetSchema.asOwner(connection, () -> replace(connection, living.generation()));
        } catch (SQLException | RuntimeException e) {
            unfence(connection, database, e);
            throw e;
        }
        LOG.info(
                "Shard {} has the rows of the backup, in generation {}. Those before are in schema {} of database {}",
                shard,
                living.generation() + 1,
                replaced(living.generation()),
                database);
    }

    /** A fence without a move, whose schema has its own name, is one that a restore has left. */
    private String owner() throws SQLException {
        String owner = copies.owner();
        if (owner == null) {
            throw refused("no single database owns it. --sharded-id.recover=" + shard + " shows its copies.");
        }
        Copy living = copies.of(owner);
        if (living.isMoving()) {
            throw refused(
                    "a move of it from " + owner + " is unfinished. Resume or abort that: --sharded-id.resume-move="
                            + shard + " or --sharded-id.abort-move=" + shard + ".");
        }
        if (!schema.equals(living.schema())) {
            throw refused("database " + owner + " has no schema " + schema + ". --sharded-id.recover=" + shard
                    + " shows its copies.");
        }
        return owner;
    }

    private void requireSame(Connection connection) throws SQLException {
        // Only rows are taken from the backup: what a move that was running had set there for replication does not
        // count.
        Set<String> identities = Set.copyOf(ShardTables.copied(connection, schema));
        List<String> differences =
                StructureComparison.differences(backup.connection(), schema, connection, schema, identities);
        if (!differences.isEmpty()) {
            throw refused("its tables in the backup, after the migrations, are not as they are now (the backup is the"
                    + " source): " + String.join("; ", differences) + ". Change the backup's tables accordingly.");
        }
    }

    private MoveRefusedException refused(String why) {
        return new MoveRefusedException("Shard " + shard + " is not restored: " + why + " Its rows are as before.");
    }

    private void replace(Connection connection, long generation) throws SQLException {
        Connection from = backup.connection();
        List<Sequences.Used> used = Sequences.used(from, schema);
        Sql.transaction(from, () -> {
            Sql.execute(from, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
            Sql.transaction(connection, () -> {
                Sql.execute(
                        connection,
                        "SET LOCAL synchronous_commit = on; SET LOCAL lock_timeout = "
                                + options.fenceTimeout().toMillis());
                List<String> tables = rowsOf(connection);
                lock(connection, tables);
                new OfflineCopy(
                                backup.side(),
                                new OfflineCopy.Side(connection, schema),
                                "The restore of shard " + shard,
                                "The shard's rows are as before.",
                                rows -> LOG.debug("Shard {}: {} rows restored", shard, rows))
                        .copy(tables, () -> setAside(connection, tables, replaced(generation)));
                Sequences.raise(connection, schema, used);
                serve(connection, generation);
            });
        });
    }

    /** Without the leases of JVM ids. */
    private List<String> rowsOf(Connection connection) throws SQLException {
        return ShardTables.copied(connection, schema).stream()
                .filter(table -> !table.equals(MoveNames.LEASES))
                .toList();
    }

    private void lock(Connection connection, List<String> tables) throws SQLException {
        if (!tables.isEmpty()) {
            String names = String.join(", ", ShardTables.qualified(schema, tables));
            Sql.execute(connection, "LOCK TABLE " + names + " IN ACCESS EXCLUSIVE MODE");
        }
    }

    private String replaced(long generation) {
        return schema + "_replaced_" + generation;
    }

    private void setAside(Connection connection, List<String> tables, String aside) throws SQLException {
        Sql.execute(connection, "CREATE SCHEMA " + Sql.name(aside));
        for (String table : tables) {
            String qualified = ShardTables.qualified(schema, table);
            Sql.execute(connection, "CREATE TABLE " + ShardTables.qualified(aside, table) + " AS TABLE " + qualified);
            Sql.execute(connection, "DELETE FROM " + qualified);
        }
    }

    private void serve(Connection connection, long generation) throws SQLException {
        int changed = Sql.update(
                connection,
                "UPDATE sharded_id.shard SET state = ?, generation = ? WHERE shard = ? AND state = ? AND generation = ?",
                StoredShard.ACTIVE,
                generation + 1,
                shard,
                StoredShard.FENCED,
                generation);
        if (changed != 1) {
            throw refused("its row in sharded_id.shard has changed meanwhile.");
        }
    }

    /** A connection that is lost leaves the fence to the next run, or to a recovery of the shard; and it may be lost in the commit. */
    private void unfence(Connection connection, String database, Exception failure) {
        try {
            StoredShard.setState(connection, shard, StoredShard.ACTIVE, StoredShard.FENCED);
        } catch (SQLException e) {
            failure.addSuppressed(e);
            throw new MoveUnfinishedException(
                    "The restore of shard " + shard + " has stopped, and its connection to database " + database
                            + " was lost: " + FailureReason.of(failure)
                            + ". If the commit was not reached, the shard is"
                            + " FENCED and its rows are as before: restore it again, or run --sharded-id.recover="
                            + shard + ":" + database + " to serve those rows.",
                    failure);
        }
    }

    /** Removes those on which no process works. */
    public static void removeOrphanedFences(String database, Connection connection) throws SQLException {
        for (String shard : Sql.strings(connection, "SELECT s.shard" + LEFT)) {
            try (SessionLock lock = SessionLock.tryOnShard(connection, Integer.parseInt(shard))) {
                if (lock != null
                        && Sql.update(
                                        connection,
                                        "UPDATE sharded_id.shard SET state = 'ACTIVE' WHERE shard IN (SELECT s.shard"
                                                + LEFT + ") AND shard = ?",
                                        Integer.valueOf(shard))
                                == 1) {
                    LOG.warn(
                            "The process that restored shard {} in database {} has died. The shard is served again, with"
                                    + " the rows as before",
                            shard,
                            database);
                }
            }
        }
    }
}
