package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveRefusedException.Reason;
import io.github.shardedid.move.internal.replication.MoveJournal;
import io.github.shardedid.move.internal.replication.ReplicationEndpoint;
import io.github.shardedid.move.internal.replication.ReplicationTrial;
import io.github.shardedid.move.internal.replication.TableReplication;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.provisioning.ScriptComparison;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Asks both databases for what a move needs before anything is changed: what is missing is a line, with the way out. */
record MoveCheck(
        int shard, String sourceName, Connection source, String targetName, Connection target, boolean offline) {
    private static final String CLUSTER = Sql.load(MoveCheck.class, "stored_cluster.sql");

    private static final String OFFLINE =
            " An offline move is possible as it is: it copies the rows while the shard is fenced.";

    private static final String RIGHTS = Sql.load(MoveCheck.class, "missing_rights.sql");
    private static final String REPLICATED = Sql.load(TableReplication.class, "replicated_tables.sql");
    private static final String IN_SCHEMA = Sql.load(MoveCheck.class, "schema_obstacles.sql");

    private static final String PUBLISHES_ALL = Sql.load(MoveCheck.class, "publications_of_all.sql");

    /** Statements of all kinds that a move executes. An event trigger may refuse some. */
    private static final String TRIED = Sql.load(MoveCheck.class, "trial.sql");

    /** Returns what prevents any move: the states of the shard, and what its schema contains. */
    List<String> always() throws SQLException {
        List<String> obstacles = new ArrayList<>();
        Optional<Move> open = MoveJournal.all(source).stream()
                .filter(move -> move.shard() == shard && !move.step().ended())
                .findFirst();
        StoredShard row = StoredShard.read(source, shard);
        StoredShard there = StoredShard.read(target, shard);
        if (open.isPresent()) {
            obstacles.add(open.get() + " is at step " + open.get().step() + ". Resume or abort it first.");
        } else if (row == null || !row.state().equals(StoredShard.ACTIVE)) {
            obstacles.add("Shard " + shard + " is " + (row == null ? "unknown" : row.state()) + " in database "
                    + sourceName + ", not ACTIVE.");
        } else if (there != null
                && !there.state().equals(StoredShard.RECEIVING)
                && (!there.state().equals(StoredShard.MOVED) || there.generation() > row.generation())) {
            obstacles.add("Shard " + shard + " is " + there.state() + " in generation " + there.generation()
                    + " in database " + targetName + " already.");
        }
        String here = Sql.rows(source, CLUSTER).toString();
        String other = Sql.rows(target, CLUSTER).toString();
        if (!here.equals(other)) {
            obstacles.add("The databases " + sourceName + " and " + targetName + " store other values of cluster,"
                    + " jvm-nodes and encoding: " + here + ", " + other + ".");
        }
        List<String> copies = Sql.strings(source, REPLICATED);
        copies.removeAll(Sql.strings(target, REPLICATED));
        if (!copies.isEmpty()) {
            obstacles.add("Database " + targetName + " has no copies of the replicated tables " + copies
                    + ", which statements and foreign keys of the shard may need. Start an instance with the database in its"
                    + " configuration, which creates them, or says why it cannot.");
        }
        return obstacles.isEmpty() ? ofSchema() : obstacles;
    }

    private List<String> ofSchema() throws SQLException {
        String schema = ShardSchema.nameOf(shard);
        String all = Sql.text(target, PUBLISHES_ALL);
        String publishing = all == null
                ? null
                : "database " + targetName + ", which publishes all tables (publication " + all + ")";
        return Sql.query(
                source,
                IN_SCHEMA,
                row -> "In schema " + schema + " of database " + sourceName + " these " + row.getString(1) + ": "
                        + row.getString(2) + "." + row.getString(3),
                schema,
                publishing,
                !offline);
    }

    /**
     * Returns what the roles lack, and what the servers refuse when it is tried.
     *
     * @throws MoveRefusedException if something is in the way that passes
     */
    List<String> roles(DataSource sourceData, MoveOptions options) throws SQLException {
        List<String> obstacles = new ArrayList<>();
        rights(sourceName, source, obstacles);
        rights(targetName, target, obstacles);
        if (!offline) {
            new ReplicationTrial("Source " + sourceName, source, "Target " + targetName, target)
                    .run(ReplicationEndpoint.of(sourceName, sourceData, source, options))
                    .forEach(obstacle -> obstacles.add(obstacle + OFFLINE));
        }
        if (obstacles.isEmpty()) {
            tried(sourceName, source, obstacles);
            tried(targetName, target, obstacles);
        }
        return obstacles;
    }

    private void rights(String database, Connection connection, List<String> obstacles) throws SQLException {
        String schema = ShardSchema.nameOf(shard);
        for (String missing : Sql.strings(connection, RIGHTS, schema, schema, schema)) {
            obstacles.add("Role " + missing + " in database " + database + ".");
        }
    }

    private static void tried(String database, Connection connection, List<String> obstacles) throws SQLException {
        String tried = "";
        connection.setAutoCommit(false);
        try {
            for (String statement : TRIED.strip().split(";\n", -1)) {
                tried = statement;
                Sql.execute(connection, statement);
            }
        } catch (SQLException e) {
            obstacles.add("Database " + database + " refuses what a move does: \"" + tried + "\" failed: "
                    + FailureReason.of(e)
                    + ". If an event trigger refuses it, let it allow that to the mover's role, or"
                    + " disable it during moves.");
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /**
     * Returns why the shard cannot be moved before it is migrated; null if it can. The target's schema is made by the scripts of this
     * process, so they must be the ones that have run at the source: while an application is deployed, instances with other ones run, too.
     *
     * @throws MoveRefusedException if the shard is newer than this process
     */
    static @Nullable String missingScripts(ShardMigrations migrations, int shard, String database, Connection source)
            throws SQLException {
        ScriptComparison scripts = migrations.compare(source, ShardSchema.nameOf(shard));
        String where = "Shard " + shard + " in database " + database;
        if (!scripts.newer().isEmpty()) {
            throw new MoveRefusedException(
                    Reason.UNKNOWN_SCRIPTS,
                    where + " has scripts that are not known here: "
                            + String.join(", ", scripts.newer())
                            + ". It is left to an instance that knows them, such as one of the application's newest version.");
        }
        return scripts.missing().isEmpty()
                ? null
                : where + " lacks scripts that are known here: " + String.join(", ", scripts.missing())
                        + ". Provision first.";
    }
}
