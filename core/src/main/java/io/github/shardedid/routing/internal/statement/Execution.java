package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.internal.connection.ConnectionLoss;
import io.github.shardedid.routing.internal.connection.Route;
import io.github.shardedid.routing.internal.connection.SingleTripCommit;
import io.github.shardedid.routing.internal.connection.Transaction;
import io.github.shardedid.routing.internal.statement.Relocations.ShardSearch;
import java.lang.reflect.Method;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Executes a statement where it is routed to. What a replica fails at is executed on the database itself, and a statement whose
 * shard has moved follows it. For one thread at a time.
 */
record Execution(Router router, Subject subject) {
    /** A statement of the application, or a batch. */
    interface Subject {
        /** Where it is now. */
        Route route();

        /** All that it executes there. */
        default List<Route> routes() {
            return List.of(route());
        }

        /** A parameter, numbered from 1; null if it is no text. */
        default @Nullable String text(int parameter) {
            return null;
        }

        /** Whether another physical statement can be given all that this one has. */
        boolean isRepeatable();

        /** In the batch that is being executed; 0 if there is none. */
        default int rows() {
            return 0;
        }

        /** Whether in autocommit some of it may be committed although it fails. */
        default boolean mayCommit() {
            return route().analysis().traits().mayCommit();
        }

        void beforeExecution() throws SQLException;

        void afterExecution() throws SQLException;

        /** Calls the physical statement. */
        @Nullable
        Object forward(Method method, @Nullable Object @Nullable [] arguments) throws Throwable;

        /** Becomes a part of the transaction, if it was to be one of its own. */
        default void executeInTransaction() throws Throwable {}

        /** Closes the physical statement, and lets go of its connection, which may be broken. */
        void detach();

        /** Goes on with a physical statement there. */
        void attach(Route next) throws Throwable;
    }

    /** The search is null unless the statement has looked for its shard before. */
    @Nullable
    Object run(Method method, @Nullable Object @Nullable [] arguments, @Nullable ShardSearch begun) throws Throwable {
        Transaction transaction = router.transaction();
        ShardSearch search = begun;
        while (true) {
            Route route = subject.route();
            SingleTripCommit commit = route.commit();
            boolean onReplica = route.physical().isReplica();
            boolean fresh = router.relocation().isFresh(route);
            if (!onReplica) {
                subject.beforeExecution();
            }
            SQLException failure;
            try {
                if (onReplica) {
                    subject.beforeExecution(); // a replica's failure at that, too, leads to the database itself
                }
                if (commit != null) {
                    transaction.binding().sending(commit, route.physical().database());
                }
                Object result = watched(route, method, arguments);
                router.succeeded(route);
                for (Route each : subject.routes()) {
                    transaction.ran(each, subject::text);
                }
                if (commit != null) {
                    transaction.committed(commit, route.physical(), null);
                }
                return result;
            } catch (SQLException e) {
                failure = e;
            } finally {
                subject.afterExecution();
            }
            if (commit != null) {
                if (ConnectionLoss.isLoss(failure)) {
                    transaction.committed(commit, route.physical(), failure);
                    return SingleTripCommit.written(method, subject.rows());
                }
                transaction.binding().refused();
            }
            if (onReplica) {
                leaveReplica(route, failure);
            } else if (commit == null || !executesInTransaction(route, failure)) {
                search = follow(search, failure, fresh);
            }
        }
    }

    /**
     * After a write has failed that was a transaction of its own: as a part of the transaction it will fail as it would have there, or
     * say how many rows it has changed.
     */
    private boolean executesInTransaction(Route route, SQLException failure) throws Throwable {
        if (router.relocation().mayBeLeft(route, failure)
                || SingleTripCommit.isTimeout(failure)
                || !subject.isRepeatable()) {
            return false;
        }
        subject.executeInTransaction();
        return true;
    }

    private @Nullable Object watched(Route route, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        RoutingListener.Watch watch = router.listener()
                .statement(
                        route.analysis().traits().writes() ? RoutingListener.Kind.WRITE : RoutingListener.Kind.READ,
                        route.target(),
                        route.physical().database());
        try {
            return subject.forward(method, arguments);
        } catch (Throwable e) {
            watch.failed(e);
            throw e;
        } finally {
            watch.close();
        }
    }

    private void leaveReplica(Route route, SQLException failure) throws Throwable {
        if (!subject.isRepeatable() || !router.leavesReplica(route, failure)) {
            throw router.failed(route, failure);
        }
        subject.detach();
        subject.attach(router.toPrimary(route));
    }

    /**
     * Goes to where the shard is that was not where the statement was sent.
     *
     * @param fresh whether the failure takes nothing with it that the transaction has done before
     * @throws SQLException what the application receives if the statement cannot be sent again
     */
    ShardSearch follow(@Nullable ShardSearch begun, SQLException failure, boolean fresh) throws Throwable {
        Route route = subject.route();
        if (!router.relocation().mayBeLeft(route, failure) || mayBeCommitted(failure, fresh)) {
            throw router.failed(route, failure);
        } else if (!fresh || !subject.isRepeatable()) {
            throw router.failed(route, router.relocation().unrepeatable(route, failure));
        }
        ShardSearch search = begun == null ? router.relocation().search(route) : begun;
        subject.detach();
        router.relocation().find(route, search, failure);
        subject.attach(router.again(route));
        return search;
    }

    /**
     * Whether some of what has failed may have been committed, so that it must not be repeated. In autocommit, the driver ends a
     * transaction every few hundred rows of a batch, and a procedure may end as many as it wants.
     */
    private boolean mayBeCommitted(SQLException failure, boolean fresh) {
        if (!fresh || subject.route().physical().isInTransaction()) {
            return false;
        }
        long[] counts = failure instanceof BatchUpdateException batch ? batch.getLargeUpdateCounts() : null;
        return (subject.mayCommit() && !isUnexecuted(failure))
                || (counts != null && Arrays.stream(counts).anyMatch(count -> count != Statement.EXECUTE_FAILED));
    }

    /** Whether it is the one statement of its text that PostgreSQL has refused, rather than something that it has called. */
    private boolean isUnexecuted(SQLException failure) {
        ServerErrorMessage said = failure instanceof PSQLException driver ? driver.getServerErrorMessage() : null;
        return said != null
                && said.getWhere() == null
                && subject.rows() == 0
                && subject.route().sql().indexOf(';') < 0;
    }

    /** Goes to where the shard is if it is known to have left, or to be about to; null if it is not, or this cannot be repeated. */
    @Nullable
    ShardSearch followBefore() throws Throwable {
        Route route = subject.route();
        if (!router.relocation().isElsewhere(route)) {
            return null;
        }
        ShardSearch search = router.relocation().search(route);
        if (subject.isRepeatable()) {
            subject.detach();
            router.relocation().leave(route);
            subject.attach(router.again(route));
        }
        return search;
    }
}
