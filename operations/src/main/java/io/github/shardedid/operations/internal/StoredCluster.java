package io.github.shardedid.operations.internal;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.TimestampUnit;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The single row of {@code sharded_id.cluster}: what a database stores of its cluster.
 *
 * @param clusterId generated once, when the cluster was first provisioned
 * @param databaseName the name under which this database was provisioned
 * @param layout how ids are divided
 * @param shardCount the number of logical shards
 * @param keyShards the number that the cluster was created with, over which keys are distributed
 * @param openShards the number of those in which new rows may be placed now
 * @param complete whether all databases have stored this number of shards
 * @param schemaVersion of the tables and functions in schema {@code sharded_id}
 * @param provisioned true once every database of the cluster has stored its first ownership
 */
public record StoredCluster(
        UUID clusterId,
        String databaseName,
        IdLayout layout,
        int shardCount,
        int keyShards,
        int openShards,
        boolean complete,
        int schemaVersion,
        boolean provisioned) {
    /** The version of the tables and functions that this library installs. */
    public static final int CURRENT_SCHEMA_VERSION = 11;

    private static final String OWNED = Sql.load(StoredCluster.class, "owned.sql");
    private static final String ROW = Sql.load(StoredCluster.class, "cluster.sql");

    /** Returns whether the current role has the rights of the owner of a table of schema {@code sharded_id}; false if there is no such table. */
    public static boolean isOwned(Connection connection, String table) throws SQLException {
        return Sql.is(connection, OWNED, "sharded_id." + table);
    }

    /** Reads the row; null if there is none. The table must exist. */
    public static @Nullable StoredCluster read(Connection connection) throws SQLException {
        return Sql.first(connection, ROW, StoredCluster::of);
    }

    private static StoredCluster of(ResultSet row) throws SQLException {
        IdLayout layout = new IdLayout(
                Instant.ofEpochMilli(row.getLong("epoch_ms")),
                TimestampUnit.valueOf(row.getString("unit")),
                row.getInt("timestamp_bits"),
                row.getInt("shard_bits"),
                row.getInt("sequence_bits"),
                row.getInt("jvm_nodes"));
        return new StoredCluster(
                row.getObject("cluster_id", UUID.class),
                row.getString("database_name"),
                layout,
                row.getInt("shard_count"),
                row.getInt("keys"),
                row.getInt("opened"),
                row.getBoolean("complete"),
                row.getInt("schema_version"),
                row.getBoolean("provisioned"));
    }
}
