package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.RoutedConnection;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Declares to a session's connection what its transaction is about to write, before anything is sent: a second shard is
 * refused then. A flush declares its target once for all of its rows.
 */
public final class DeclaredWrites {
    private static final ThreadLocal<@Nullable Flush> FLUSHING = new ThreadLocal<>();

    private record Flush(SharedSessionContractImplementor session, Target.Single target) {}

    private DeclaredWrites() {}

    /**
     * Declares a write.
     *
     * @param row names what will be written, for the message
     */
    public static void declare(SharedSessionContractImplementor session, Target.Single target, Supplier<String> row) {
        if (isFlushing(session, target)) {
            return;
        }
        connectionOf(session).declareWrite(target, row);
    }

    /** Returns where the session's transaction has written, or declared to write; null if it has not. */
    static Target.@Nullable Single targetOf(SharedSessionContractImplementor session) {
        return connectionOf(session).declaredWrite();
    }

    private static RoutedConnection connectionOf(SharedSessionContractImplementor session) {
        try {
            return session.getJdbcCoordinator()
                    .getLogicalConnection()
                    .getPhysicalConnection()
                    .unwrap(RoutedConnection.class);
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
     * @param rows how many rows it writes by one statement or batch, if nothing but the commit follows; else 0
     * @param sql the text of that statement
     */
    public static void flush(
            SharedSessionContractImplementor session,
            Target.Single target,
            Supplier<String> row,
            int rows,
            String sql,
            Runnable executions) {
        RoutedConnection connection = connectionOf(session);
        connection.declareWrite(target, row);
        connection.announceLastWrite(rows, sql);
        Flush outer = FLUSHING.get();
        FLUSHING.set(new Flush(session, target));
        try {
            RoutedScope.run(target, executions);
        } finally {
            FLUSHING.set(outer);
            connection.announceLastWrite(0, "");
        }
    }

    @SuppressWarnings("ReferenceEquality") // a session equals only itself
    static boolean isFlushing(SharedSessionContractImplementor session, Target.Single target) {
        Flush flush = FLUSHING.get();
        return flush != null && flush.session == session && flush.target.equals(target);
    }
}
