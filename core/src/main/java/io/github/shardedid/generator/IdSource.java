package io.github.shardedid.generator;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Makes ids for the rows of a table in a shard. Implementations are safe for use by several threads, and in one process
 * the ids of one shard and sequence only grow.
 */
public interface IdSource {
    /**
     * Makes one id.
     *
     * @param shard the logical shard of the new row
     * @param sequence the name of the table's sequence, without a schema
     * @param connection a connection of a {@link io.github.shardedid.routing.RoutingDataSource}, used only if a database
     *     must be asked
     * @return an id whose bits name the shard and that no one else was given
     * @throws SQLException if a database had to be asked and could not answer
     */
    long next(int shard, String sequence, Connection connection) throws SQLException;

    /**
     * The ids of one table, for callers that ask for them again and again.
     *
     * @param name the name of the table's sequence, without a schema
     * @return what makes the same ids as {@link #next} does for that name
     */
    default IdSequence sequence(String name) {
        return (shard, connection) -> next(shard, name, connection);
    }
}
