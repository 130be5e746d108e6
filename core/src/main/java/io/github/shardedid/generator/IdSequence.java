package io.github.shardedid.generator;

import java.sql.Connection;
import java.sql.SQLException;

/** Makes ids for the rows of one table, in whatever shard. Safe for use by several threads if its {@link IdSource} is. */
@FunctionalInterface
public interface IdSequence {
    /**
     * Makes one id.
     *
     * @param shard the logical shard of the new row
     * @param connection a connection of a {@link io.github.shardedid.routing.RoutingDataSource}, used only if a database
     *     must be asked
     * @return an id whose bits name the shard and that no one else was given
     * @throws SQLException if a database had to be asked and could not answer
     * @throws io.github.shardedid.topology.UnknownShardException if the cluster has no such shard
     */
    long next(int shard, Connection connection) throws SQLException;
}
