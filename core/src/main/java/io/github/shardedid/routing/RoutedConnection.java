package io.github.shardedid.routing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;

/**
 * What a connection of a {@code RoutingDataSource} can do beyond JDBC; reached by {@code connection.unwrap}. Like any
 * connection it is for one thread at a time.
 */
public interface RoutedConnection extends Connection {
    /**
     * Says that this transaction is about to write to a shard, before anything is sent. In autocommit it only checks the
     * shard.
     *
     * @param shard the shard that will be written
     * @param what what will be written, for the message: a statement, or an entity and its id
     * @throws SecondWriteShardException if the transaction has written, or declared to write, to another shard
     * @throws io.github.shardedid.topology.UnknownShardException if the cluster has no such shard
     */
    default void declareWrite(int shard, String what) {
        declareWrite(shard, () -> what);
    }

    /**
     * Does the same, with words that are only put together if the write is refused.
     *
     * @param shard the shard that will be written
     * @param what says what will be written; never null
     * @throws SecondWriteShardException if the transaction has written, or declared to write, to another shard
     * @throws io.github.shardedid.topology.UnknownShardException if the cluster has no such shard
     */
    void declareWrite(int shard, Supplier<String> what);

    /**
     * Says that this transaction is about to write to the global database, before anything is sent. In autocommit it only
     * checks that there is one.
     *
     * @param what what will be written, for the message: a statement, or an entity and its id
     * @throws SecondWriteShardException if the transaction has written, or declared to write, to a shard
     * @throws NoShardException if no global database is configured
     */
    void declareGlobalWrite(String what);

    /**
     * Whether the connection that this transaction has to a shard's database, and keeps to its end, was open at an instant
     * already. If so the server has not crashed since, for a crash ends all connections; if not it may have. Takes the
     * connection from its pool if the transaction has none, without a round trip.
     *
     * @param shard the shard that will be written
     * @param nanos the instant, of {@link System#nanoTime()}
     * @return false also in autocommit, where each statement may have another connection
     * @throws SQLException if no connection can be had
     * @throws io.github.shardedid.topology.UnknownShardException if the cluster has no such shard
     */
    boolean isOpenSince(int shard, long nanos) throws SQLException;

    /**
     * Whether prepared statements go after a shard that has moved, as they do by default, which may take another connection from a
     * pool. If not, a statement that could is not sent again, but fails with a {@link ShardMovedException} that
     * {@linkplain ShardMovedException#isStatementOnly() says so}, and {@link #isOpenSince} takes no connection. For those who hold
     * a lock that others want who hold connections.
     *
     * @param following false to stay with the first database
     */
    void setFollowing(boolean following);
}
