package io.github.shardedid.generator;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Generates ids for the rows of a table in a shard. Implementations are safe for use by several threads. In one process the ids of
 * one shard and sequence only grow.
 *
 * <p>Not a service provider interface: an entity names one of those that there are by {@code @ShardedId(strategy = …)}.
 */
public interface IdSource {
    /**
     * Generates one id.
     *
     * @param shard the logical shard of the new row, from 0
     * @param sequence the name of the table's sequence, without a schema; never null
     * @param connection a connection of a {@link io.github.shardedid.routing.RoutingDataSource}; used only if the database generates
     *     the id; never null
     * @return a unique id whose bits name the shard
     * @throws SQLException if the database was needed and failed
     */
    long next(int shard, String sequence, Connection connection) throws SQLException;

    /**
     * The ids of one table, for callers that need many.
     *
     * @param name the name of the table's sequence, without a schema; never null
     * @return a generator of the same ids as {@link #next} with that name; never null
     */
    IdSequence sequence(String name);
}
