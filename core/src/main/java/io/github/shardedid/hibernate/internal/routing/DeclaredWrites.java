package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.RoutingControl;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Declares to a session's connection what its transaction is about to write, before anything is sent: a second shard is
 * refused then. A flush declares its target once for all of its rows.
 *
 * <p>The connection would refuse the second shard when its first statement is prepared. That is too late for an id,
 * which has been taken by then, and for a batch, whose statement is prepared once for many rows. And the shard of
 * the declared write is where a revision of Envers belongs.
 */
public final class DeclaredWrites {
    private DeclaredWrites() {}

    /**
     * Declares a write.
     *
     * <p>Takes the session's connection, which is bound to no database yet: nothing is sent.
     *
     * @param row names what will be written, for the message
     * @throws io.github.shardedid.routing.SecondWriteShardException if the transaction writes to another target
     */
    public static void declare(SharedSessionContractImplementor session, Target.Single target, Supplier<String> row) {
        connectionOf(session).declareWrite(target, row);
    }

    /** Notes that the session's transaction will claim values that are unique over all shards. */
    static void expectClaims(SharedSessionContractImplementor session) {
        connectionOf(session).expectClaims();
    }

    /** Returns where the session's transaction has written, or declared to write; null if it has not. */
    static Target.@Nullable Single targetOf(SharedSessionContractImplementor session) {
        return session.getJdbcCoordinator().getLogicalConnection().isPhysicallyConnected()
                ? connectionOf(session).declaredWrite()
                : null;
    }

    /**
     * Returns the session's connection. It is unwrapped, because a pool or an observation may have wrapped the
     * data source that Hibernate was given.
     */
    private static RoutingControl connectionOf(SharedSessionContractImplementor session) {
        try {
            return session.getJdbcCoordinator()
                    .getLogicalConnection()
                    .getPhysicalConnection()
                    .unwrap(RoutingControl.class);
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "The session's connection does not come from the RoutingDataSource that Hibernate was configured"
                            + " with.",
                    e);
        }
    }

    /**
     * Executes a flush in the scope of its target, declared once.
     *
     * <p>The announcement of the last write ends with the flush, also if it fails: what the application does
     * afterwards must not commit.
     *
     * @param rows how many rows it writes by one statement or batch, if nothing but the commit follows; else 0
     * @param sql the text of that statement
     * @param row names the first row, for messages
     * @param executions executes the statements of the flush
     */
    public static void flush(
            SharedSessionContractImplementor session,
            Target.Single target,
            Supplier<String> row,
            int rows,
            String sql,
            Runnable executions) {
        RoutingControl connection = connectionOf(session);
        connection.declareWrite(target, row);
        connection.announceLastWrite(rows, sql);
        try (ShardContext.Scope scope = RoutedScope.open(target)) {
            executions.run();
        } finally {
            connection.announceLastWrite(0, "");
        }
    }
}
