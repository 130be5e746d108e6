package io.github.shardedid.routing;

import io.github.shardedid.routing.internal.sql.SchemaPlaceholder;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a connection of a {@code RoutingDataSource} can do beyond JDBC; reached by {@code connection.unwrap}. Like any
 * connection it is for one thread at a time.
 */
public interface RoutedConnection extends Connection {
    /**
     * A placeholder of a schema as it is written into generated texts, in which all tables have their schema. Other texts are executed
     * with the search path of their shard; such a one only if a catalog has more than PostgreSQL's own of what it names or runs.
     *
     * @param placeholder {@link RoutingDataSource#SCHEMA_PLACEHOLDER} or {@link RoutingDataSource#GLOBAL_PLACEHOLDER}
     * @return another spelling of it, which means the same schema
     */
    static String generated(String placeholder) {
        return SchemaPlaceholder.generated(placeholder);
    }

    /**
     * Says that this transaction is about to write to a shard, or to the global database, before anything is sent. In
     * autocommit it only checks that there is one.
     *
     * @param target what will be written to
     * @param what says what will be written, a statement, or an entity and its id; asked only if the write is refused
     * @throws SecondWriteShardException if the transaction has written, or declared to write, elsewhere
     * @throws io.github.shardedid.topology.UnknownShardException if the cluster has no such shard
     * @throws NoShardException if there is no global database
     */
    void declareWrite(Target.Single target, Supplier<String> what);

    /**
     * Where this transaction has written, or declared to write.
     *
     * @return null if it has not, or in autocommit
     */
    Target.@Nullable Single declaredWrite();

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
     * Takes a connection as {@link #isOpenSince} does, and says that what follows reserves ids over it. If the transaction has done
     * nothing there yet but plain queries, the reservation is committed at once, so that the write may be a transaction of its own.
     *
     * @param shard the shard that will be written
     * @param apart false to reserve them in the transaction, if there is one, in any case
     * @return whether the reservation is committed at once. It need not wait for the disk, as the write's commit does, and as the
     *     write comes over the same connection, which a crash would have closed
     * @throws SQLException if no connection can be had
     * @throws io.github.shardedid.topology.UnknownShardException if the cluster has no such shard
     */
    boolean beginReservation(int shard, boolean apart) throws SQLException;

    /** Says that no ids are reserved any more. */
    void endReservation();

    /**
     * Says that nothing but the commit follows the writing of so many rows by a statement, and that nothing but the database can
     * refuse the transaction any more. If that is an INSERT, UPDATE or DELETE of one row, or a JDBC batch of all of them, it is then a
     * transaction of its own, if this one has done nothing yet but plain queries: one round trip instead of two. If the database
     * refuses it, or does not change exactly one row by each call of the batch, it is sent again as a part of this transaction, as if
     * nothing had been said. If the connection breaks, {@link #commit()} fails, since whether the rows were written is unknown.
     *
     * @param rows how many rows are about to be written, at least 1; 0 to take it back. More than 20 have no effect
     * @param sql the text with which the statement will be prepared; others belong to this transaction
     */
    void setEnding(int rows, String sql);

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
