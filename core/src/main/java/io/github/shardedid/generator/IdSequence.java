package io.github.shardedid.generator;

import java.sql.Connection;
import java.sql.SQLException;

/** Generates ids for the rows of one table, in all shards. Safe for use by several threads. */
@FunctionalInterface
public interface IdSequence {
    /**
     * Generates one id.
     *
     * @param shard the logical shard of the new row, from 0
     * @param connection a connection of a {@link io.github.shardedid.routing.RoutingDataSource}; used only if the database generates
     *     the id; never null
     * @return a unique id whose bits name the shard
     * @throws SQLException if the database was needed and failed
     * @throws io.github.shardedid.topology.UnknownShardException if the cluster has no such shard
     */
    long next(int shard, Connection connection) throws SQLException;
}
