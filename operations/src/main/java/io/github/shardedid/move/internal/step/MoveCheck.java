package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveRefusedException.Reason;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.move.internal.replication.MoveJournal;
import io.github.shardedid.move.internal.replication.ReplicatedTables;
import io.github.shardedid.move.internal.replication.ReplicationEndpoint;
import io.github.shardedid.move.internal.replication.ReplicationSettings;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.operations.internal.StructureComparison;
import io.github.shardedid.operations.internal.StructureComparison.Side;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Finds the obstacles to a move before anything is changed. */
final class MoveCheck {
    private static final String CLUSTER = "SELECT cluster_id, jvm_nodes FROM sharded_id.cluster";
    private static final int MOST_COMPARED = 3;

    private static final String OFFLINE =
            " An offline move is possible as it is: it copies the rows while the shard is fenced.";

    /** The mover also acts as the owner of the cluster; memberships have options since PostgreSQL 16. */
    private static final String NOT_OWNED = "SELECT n.nspname, quote_ident(pg_get_userbyid(n.nspowner)),"
            + " quote_ident(current_user) || CASE WHEN v.major >= 16 AND pg_has_role(n.nspowner, 'MEMBER')"
            + " THEN ' WITH INHERIT TRUE, SET TRUE' ELSE '' END, quote_ident(current_user)"
            + " FROM pg_namespace n, (SELECT current_setting('server_version_num')::int / 10000 AS major) v"
            + " WHERE (n.nspname IN (?, 'sharded_id') OR n.nspname ~ ?) AND NOT (pg_has_role(n.nspowner, 'USAGE')"
            + " AND pg_has_role(n.nspowner, CASE WHEN v.major >= 16 THEN 'SET' ELSE 'MEMBER' END)) ORDER BY 1";

    private static final String NOT_WRITTEN = "SELECT c.oid::regclass::text, quote_ident(pg_get_userbyid(c.relowner)),"
            + " quote_ident(current_user) FROM pg_class c WHERE c.oid IN (to_regclass('sharded_id.shard'),"
            + " to_regclass('sharded_id.move')) AND NOT (has_schema_privilege(c.relnamespace, 'USAGE')"
            + " AND has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')"
            + " AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE')) ORDER BY 1";

    private static final String NO_SCHEMAS = "SELECT quote_ident(current_database()), quote_ident(current_user)"
            + " WHERE NOT has_database_privilege(current_database(), 'CREATE')";

    private static final String EVENT_TRIGGERS =
            "SELECT evtname FROM pg_event_trigger WHERE evtenabled <> 'D' AND evtevent IN"
                    + " ('ddl_command_start', 'ddl_command_end', 'sql_drop', 'table_rewrite') ORDER BY 1";

    /** Statements of all kinds that a move executes, except that of the subscription, which is tried with the privileges. */
    private static final List<String> TRIED = List.of(
            "CREATE SCHEMA sharded_id_trial",
            "CREATE SEQUENCE sharded_id_trial.numbers",
            "CREATE TABLE sharded_id_trial.parent (id bigint PRIMARY KEY)",
            "CREATE TABLE sharded_id_trial.child (id bigint REFERENCES sharded_id_trial.parent)",
            "CREATE FUNCTION sharded_id_trial.one() RETURNS int LANGUAGE sql AS 'SELECT 1'",
            "ALTER FUNCTION sharded_id_trial.one() SET search_path = pg_catalog",
            "CREATE INDEX child_id ON sharded_id_trial.child (id)",
            "DROP INDEX sharded_id_trial.child_id",
            "ALTER TABLE sharded_id_trial.child REPLICA IDENTITY FULL",
            "ALTER SEQUENCE sharded_id_trial.numbers MAXVALUE 1000",
            "CREATE TRIGGER refuse BEFORE INSERT ON sharded_id_trial.child FOR EACH STATEMENT"
                    + " EXECUTE FUNCTION sharded_id.refuse_write()",
            "DROP TRIGGER refuse ON sharded_id_trial.child",
            "CREATE PUBLICATION sharded_id_trial FOR TABLE sharded_id_trial.child",
            "DROP PUBLICATION sharded_id_trial",
            "GRANT USAGE ON SCHEMA sharded_id_trial TO PUBLIC",
            "REVOKE USAGE ON SCHEMA sharded_id_trial FROM PUBLIC",
            "ALTER SCHEMA sharded_id_trial RENAME TO sharded_id_trial_fenced",
            "DROP SCHEMA sharded_id_trial_fenced CASCADE");

    private final int shard;
    private final String sourceName;
    private final String targetName;
    private final Connection source;
    private final Connection target;
    private final List<String> obstacles = new ArrayList<>();

    MoveCheck(int shard, String sourceName, Connection source, String targetName, Connection target) {
        this.shard = shard;
        this.sourceName = sourceName;
        this.source = source;
        this.targetName = targetName;
        this.target = target;
    }

    /**
     * Those of any move.
     *
     * @throws MoveRefusedException if there is none but what passes
     */
    List<String> always() throws SQLException {
        Move open = MoveJournal.open(source, shard);
        StoredShard row = StoredShard.read(source, shard);
        if (open != null) {
            obstacles.add("A move of shard " + shard + " to " + open.target() + " is at step " + open.step()
                    + ". Resume or abort it first.");
        } else if (row == null || !row.state().equals(StoredShard.ACTIVE)) {
            obstacles.add("Shard " + shard + " is " + (row == null ? "unknown" : row.state()) + " in database "
                    + sourceName + ", not ACTIVE.");
        }
        StoredShard there = StoredShard.read(target, shard);
        if (there != null && !List.of(StoredShard.MOVED, StoredShard.RECEIVING).contains(there.state())) {
            obstacles.add("Shard " + shard + " is " + there.state() + " in database " + targetName + " already.");
        }
        if (row != null
                && there != null
                && there.generation() > row.generation()
                && !there.state().equals(StoredShard.RECEIVING)) {
            obstacles.add("Database " + targetName + " knows a later generation of shard " + shard + ".");
        }
        compareClusters();
        if (obstacles.isEmpty()) {
            obstacles.addAll(SchemaObstacles.of(sourceName, source, targetName, target, shard));
        }
        return obstacles;
    }

    /** Adds that the shard has another structure than all those others, of a few, that the same scripts have made. */
    void structure() throws SQLException {
        StoredShard row = StoredShard.read(source, shard);
        int here = source.getMetaData().getDatabaseMajorVersion();
        int there = target.getMetaData().getDatabaseMajorVersion();
        Side own = new Side(StructureComparison.ofShard(source, shard, Math.min(here, there)), "here");
        String found = "";
        int compared = 0;
        for (Connection side : List.of(target, source)) {
            for (StoredShard other : StoredShard.readAll(side)) {
                if (compared < MOST_COMPARED && isMadeLike(other, row)) {
                    Side made = new Side(
                            StructureComparison.ofShard(side, other.shard(), Math.min(here, there)),
                            "in shard " + other.shard());
                    List<String> differences =
                            StructureComparison.withoutOrder(StructureComparison.between(own, made, here != there));
                    if (differences.isEmpty()) {
                        return;
                    }
                    found = String.join("; ", differences);
                    compared++;
                }
            }
        }
        if (compared > 0) {
            obstacles.add(
                    "Shard " + shard
                            + " has not the structure of other shards that the same scripts have made, so it would differ"
                            + " from what they make in database " + targetName + ": " + found
                            + ". Change the shard, or put these differences into a migration. --sharded-id.report-drift shows all shards.");
        }
    }

    private boolean isMadeLike(StoredShard other, @Nullable StoredShard row) {
        return row != null
                && other.shard() != shard
                && other.active()
                && other.schemaExists()
                && other.migrations() != null
                && other.migrations().equals(row.migrations());
    }

    /** Adds the missing privileges of the role. */
    void rights() throws SQLException {
        obstacles.addAll(missingRights(sourceName, source, shard));
        obstacles.addAll(missingRights(targetName, target, shard));
        if (obstacles.isEmpty()) {
            obstacles.addAll(refusedByEventTriggers(sourceName, source));
            obstacles.addAll(refusedByEventTriggers(targetName, target));
        }
    }

    private void compareClusters() throws SQLException {
        List<@Nullable String> here = Sql.rows(source, CLUSTER).get(0);
        List<@Nullable String> there = Sql.rows(target, CLUSTER).get(0);
        if (!here.equals(there)) {
            obstacles.add("The databases " + sourceName + " and " + targetName + " store other values of cluster and"
                    + " jvm-nodes: " + here + ", " + there + ".");
        }
    }

    /**
     * Adds the obstacles to logical replication.
     *
     * @throws MoveRefusedException if there is none but what passes
     */
    void replication(DataSource sourceData, MoveOptions options) throws SQLException {
        ReplicationSource reach = ReplicationEndpoint.of(sourceName, sourceData, source, options);
        ReplicatedTables.obstacles(sourceName, source, ShardSchema.nameOf(shard), reach.user())
                .forEach(obstacle -> obstacles.add(obstacle + OFFLINE));
        try {
            ReplicationSettings.obstacles(sourceName, source, targetName, target, reach, options.concurrentMoves())
                    .forEach(obstacle -> obstacles.add(obstacle + OFFLINE));
        } catch (MoveRefusedException e) {
            if (!e.isDeferred()) {
                throw e;
            }
            deferred(e.getMessage() + OFFLINE);
        }
    }

    /** What passes is reported as such only if nothing else is in the way. */
    private void deferred(String obstacle) {
        if (obstacles.isEmpty()) {
            throw new MoveRefusedException(Reason.DEFERRED, obstacle + " Nothing was changed.");
        }
        obstacles.add(obstacle);
    }

    /** A line for each, with the statement that grants it. */
    private static List<String> missingRights(String database, Connection connection, int shard) throws SQLException {
        List<String> lines = new ArrayList<>();
        String schema = ShardSchema.nameOf(shard);
        for (List<@Nullable String> row : Sql.rows(connection, NO_SCHEMAS)) {
            lines.add("Role " + row.get(1) + " may not create or rename schemas in database " + database
                    + ", nor publications or subscriptions. Run GRANT CREATE ON DATABASE " + row.get(0) + " TO "
                    + row.get(1) + " there.");
        }
        for (List<@Nullable String> row : Sql.rows(connection, NOT_OWNED, schema, "^" + schema + "_fenced_[0-9]+$")) {
            String owned = "sharded_id".equals(row.get(0)) ? "schema sharded_id" : "the schema of the shard";
            lines.add("Role " + row.get(3) + " does not own " + owned + " in database " + database + ". Run GRANT "
                    + row.get(1) + " TO " + row.get(2) + " there.");
        }
        for (List<@Nullable String> row : Sql.rows(connection, NOT_WRITTEN)) {
            lines.add("Role " + row.get(2) + " may not write to " + row.get(0) + " of database " + database
                    + ". Run GRANT " + row.get(1) + " TO " + row.get(2) + " there.");
        }
        return lines;
    }

    private static List<String> refusedByEventTriggers(String database, Connection connection) throws SQLException {
        List<String> triggers = Sql.strings(connection, EVENT_TRIGGERS);
        if (triggers.isEmpty()) {
            return List.of();
        }
        String tried = "";
        connection.setAutoCommit(false);
        try {
            for (String statement : TRIED) {
                tried = statement;
                Sql.execute(connection, statement);
            }
            return List.of();
        } catch (SQLException e) {
            return List.of("Database " + database + " refuses what a move does: \"" + tried + "\" failed: "
                    + FailureReason.of(e) + ". It has event triggers, which run then: " + String.join(", ", triggers)
                    + ". Let these allow it to the mover's role, or disable them during moves.");
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }
}
