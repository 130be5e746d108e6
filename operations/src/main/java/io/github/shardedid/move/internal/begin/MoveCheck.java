package io.github.shardedid.move.internal.begin;

import io.github.shardedid.move.DeferredMoveException;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.move.internal.journal.Journal;
import io.github.shardedid.move.internal.replication.Reach;
import io.github.shardedid.move.internal.replication.ReplicatedTables;
import io.github.shardedid.move.internal.replication.ReplicationSettings;
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
     * @throws DeferredMoveException if there is none but what passes
     */
    List<String> always() throws SQLException {
        Move open = Journal.open(source, shard);
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
        obstacles.addAll(MoveRights.missing(sourceName, source, shard));
        obstacles.addAll(MoveRights.missing(targetName, target, shard));
        if (obstacles.isEmpty()) {
            obstacles.addAll(EventTriggers.obstacles(sourceName, source));
            obstacles.addAll(EventTriggers.obstacles(targetName, target));
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
     * @throws DeferredMoveException if there is none but what passes
     */
    void replication(DataSource sourceData, MoveOptions options) throws SQLException {
        ReplicationSource reach = Reach.of(sourceName, sourceData, source, options);
        ReplicatedTables.obstacles(sourceName, source, ShardSchema.nameOf(shard), reach.user())
                .forEach(obstacle -> obstacles.add(obstacle + OFFLINE));
        try {
            ReplicationSettings.obstacles(sourceName, source, targetName, target, reach, options.concurrentMoves())
                    .forEach(obstacle -> obstacles.add(obstacle + OFFLINE));
        } catch (DeferredMoveException e) {
            deferred(e.getMessage() + OFFLINE);
        }
    }

    /** What passes is reported as such only if nothing else is in the way. */
    private void deferred(String obstacle) {
        if (obstacles.isEmpty()) {
            throw new DeferredMoveException(obstacle + " Nothing was changed.");
        }
        obstacles.add(obstacle);
    }
}
