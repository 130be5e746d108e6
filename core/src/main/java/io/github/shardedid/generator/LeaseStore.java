package io.github.shardedid.generator;

import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.internal.RoutingControl;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Leases nodes with the functions in the shards' schemas, which store the leases: one round trip each, in autocommit, on a connection
 * of its own. Safe for use by several threads.
 *
 * @param steps how long a lease lasts, in the layout's unit
 */
record LeaseStore(RoutingDataSource dataSource, long steps) {
    private static final String SHARD = RoutingControl.generated(RoutingDataSource.SCHEMA_PLACEHOLDER);

    private static final String LEASE = "SELECT refused, node, window_start, window_end, present FROM " + SHARD
            + ".lease_node(cast(? AS uuid), ?, ?, ?)";
    private static final String RELEASE = "SELECT " + SHARD + ".release_node(cast(? AS uuid), ?)";
    private static final int TIMEOUT_SECONDS = 10;

    /**
     * The database's answer to a request for a node.
     *
     * @param refused why the request was refused; null if it was granted, and only then are the other values valid
     * @param node the node, from 0
     * @param windowStart the first timestamp of the window, in the layout's unit
     * @param windowEnd the first timestamp after the window
     * @param present the database's time, in the layout's unit
     */
    record LeaseAnswer(@Nullable FallbackReason refused, int node, long windowStart, long windowEnd, long present) {}

    /**
     * Grants a node, or extends the window of the holder's node. Committed when the method returns.
     *
     * @param wanted the node that the holder prefers, or null
     */
    LeaseAnswer lease(int shard, UUID holder, @Nullable Integer wanted) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(shard);
                Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(LEASE)) {
            statement.setQueryTimeout(TIMEOUT_SECONDS);
            statement.setString(1, holder.toString());
            statement.setObject(2, wanted, Types.INTEGER);
            statement.setInt(3, dataSource.cluster().layout().jvmNodes());
            statement.setLong(4, steps);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                String refused = row.getString("refused");
                return new LeaseAnswer(
                        refused == null ? null : FallbackReason.valueOf(refused),
                        row.getInt("node"),
                        row.getLong("window_start"),
                        row.getLong("window_end"),
                        row.getLong("present"));
            }
        }
    }

    /**
     * Releases the holder's node of a shard.
     *
     * @param stamp the first timestamp that the holder has not used and will not use
     */
    void release(int shard, UUID holder, long stamp) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(shard);
                Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(RELEASE)) {
            statement.setQueryTimeout(TIMEOUT_SECONDS);
            statement.setString(1, holder.toString());
            statement.setLong(2, stamp);
            statement.execute();
        }
    }
}
