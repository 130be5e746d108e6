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
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Executes a statement where it is routed to, and repeats it elsewhere where that is safe. For one thread at a
 * time:
 *
 * <ol>
 *   <li>The rules, the search path and the settings of the transaction are checked and applied, at each
 *       execution.
 *   <li>The driver executes the statement. A success is noted, as far as later statements depend on it.
 *   <li>A write that was to commit by itself, and was refused, is executed again as a part of the transaction.
 *       If its connection broke, it returns what a success would have returned, and the commit fails: only
 *       there can the application learn that the outcome is unknown.
 *   <li>What a replica fails at is executed on the database itself.
 *   <li>A statement whose shard is not there any more is sent to where the shard is now, if the failure has
 *       undone nothing but the statement itself, and if the statement can be given the same values once more.
 * </ol>
 *
 * <p>Without the last step, each move of a shard would make calls of the application fail. A statement is
 * repeated only if nothing of it was committed: in autocommit, the driver ends a transaction every few hundred
 * rows of a batch, and a procedure may end several. The path of such a statement: {@link #follow} lets go of the
 * physical statement, {@link StatementRelocation#find} waits for the shard, {@link Router#again} routes the statement by
 * the new map, and {@link PreparedFacade#attach} gives the next physical statement the recorded values.
 *
 * @param router decides where the statement goes
 * @param subject the statement
 */
record Execution(Router router, PreparedFacade subject) {
    /**
     * Executes the statement, as often as needed.
     *
     * @param begun the search for its shard; null unless the statement has looked for it before
     * @return what the method of the driver returns
     * @throws SQLException the failure, explained for the application
     */
    @Nullable
    Object run(Method method, @Nullable Object @Nullable [] arguments, @Nullable ShardSearch begun) throws Throwable {
        Transaction transaction = router.transaction();
        ShardSearch search = begun;
        while (true) {
            Route route = subject.route();
            SingleTripCommit commit = route.commit();
            boolean onReplica = route.physical().isReplica();
            boolean fresh = router.relocation().undoesNothingElse(route);
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
                transaction.ran(route, subject::text);
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
            } else if (commit == null || !moveIntoTransaction(route, failure)) {
                search = follow(search, failure, fresh);
            }
        }
    }

    /**
     * Makes a write that was a transaction of its own, and has failed, a part of the transaction: there it
     * fails as it would have failed without this optimization, or returns how many rows it has changed. After a
     * timeout it is not sent again, since it would wait as long once more.
     *
     * @return false if it is not sent again
     */
    private boolean moveIntoTransaction(Route route, SQLException failure) throws Throwable {
        if (router.relocation().mayHaveMoved(route, failure)
                || SingleTripCommit.isTimeout(failure)
                || !subject.isRepeatable()) {
            return false;
        } else if (route.physical().isInTransaction()) {
            if (!route.physical().hasFailed()) {
                router.transaction().failedOn(route.physical().database());
                return false; // it was the COMMIT: the transaction has ended, and nothing is stored
            }
            SingleTripCommit.undo(route.physical());
        }
        subject.executeInTransaction();
        return true;
    }

    /** Calls the physical statement, followed by a listener. */
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

    /** Continues on the database itself, or throws the failure of the replica. */
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
        if (!router.relocation().mayHaveMoved(route, failure) || mayBeCommitted(failure, fresh)) {
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
     * Returns whether some of what has failed may have been committed, so that it must not be repeated. In
     * autocommit, the driver ends a transaction every few hundred rows of a batch, and a procedure may end any
     * number.
     */
    private boolean mayBeCommitted(SQLException failure, boolean fresh) {
        if (!fresh || subject.route().physical().isInTransaction()) {
            return false;
        }
        long[] counts = failure instanceof BatchUpdateException batch ? batch.getLargeUpdateCounts() : null;
        return (subject.route().analysis().traits().mayCommit() && !isUnexecuted(failure))
                || (counts != null && Arrays.stream(counts).anyMatch(count -> count != Statement.EXECUTE_FAILED));
    }

    /**
     * Returns whether PostgreSQL has refused the one statement of the text itself, rather than something that
     * it has called: then nothing of it was executed.
     */
    private boolean isUnexecuted(SQLException failure) {
        ServerErrorMessage said = failure instanceof PSQLException driver ? driver.getServerErrorMessage() : null;
        return said != null
                && said.getWhere() == null
                && subject.rows() == 0
                && subject.route().sql().indexOf(';') < 0;
    }

    /**
     * Continues where the shard is, if it is known to have left, or to be about to leave. This spares the
     * failure, which would end the transaction.
     *
     * @return the search; null if the shard has not left. A statement that cannot be repeated stays, and fails
     *     where it is
     */
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
