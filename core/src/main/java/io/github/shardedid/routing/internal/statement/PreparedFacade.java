package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.internal.connection.ConnectionLoss;
import io.github.shardedid.routing.internal.connection.Route;
import io.github.shardedid.routing.internal.connection.ShardTypes;
import io.github.shardedid.routing.internal.connection.SingleTripCommit;
import io.github.shardedid.routing.internal.connection.Transaction;
import io.github.shardedid.routing.internal.sql.CurrentTimes;
import io.github.shardedid.routing.internal.statement.Relocations.ShardSearch;
import java.lang.reflect.Method;
import java.sql.Array;
import java.sql.BatchUpdateException;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGobject;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A prepared or callable statement, or one text of a plain statement: its target was fixed when it was prepared. One that a replica fails at
 * moves to the database itself; one whose shard has moved follows it.
 *
 * <p>JDBC prepares a statement before its parameters are set, so the scope decides and not a value. At each
 * execution, the scope must be the one of the preparation: Hibernate and pools of statements keep prepared
 * statements, and one that was prepared for shard 5 must not write a row of shard 6. The values are recorded,
 * since another physical statement may need them.
 *
 * <p>It is executed where it is routed to, and repeated elsewhere where that is safe:
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
 * the new map, and {@link #attach} gives the next physical statement the recorded values.
 */
public final class PreparedFacade extends StatementFacade {
    private static final Logger LOG = LoggerFactory.getLogger(PreparedFacade.class);

    /** Prepares the physical statements. */
    private final Preparation preparation;

    /** The calls that have set something, for the next physical statement. */
    private final RecordedCalls calls = new RecordedCalls();
    /** True if the statement returns generated keys. */
    private final boolean wantsKeys;

    private Route route;
    private Statement physical;
    /** True while there is no physical statement, as the last one was let go of. */
    private boolean detached;
    /**
     * True if a parameter may stand for the time of the transaction, such as the text {@code now}: outside of
     * the transaction it would be another one.
     */
    private boolean readsTime;

    /** True if the current execution is that of a batch. */
    private boolean batched;
    /** The statements with which the current execution is sent; null if there are none. */
    private @Nullable PathFirst pathFirst;
    /**
     * The statement that was executed last, if it was behind the path: it has the results. It is closed before
     * the next execution.
     */
    private @Nullable PreparedStatement behindPath;

    /**
     * Creates the facade of a physical statement.
     *
     * @param owner the routed connection
     * @param preparation prepares further physical statements
     * @param wantsKeys whether the statement returns generated keys
     * @param physical the first physical statement, which this closes
     */
    public PreparedFacade(
            Connection owner,
            Router router,
            Route route,
            Preparation preparation,
            boolean wantsKeys,
            Statement physical) {
        super(owner, router);
        this.wantsKeys = wantsKeys;
        this.preparation = preparation;
        this.route = route;
        this.physical = physical;
    }

    /** The method of a connection by which the physical statement is prepared, or created for a text. */
    @FunctionalInterface
    public interface Preparation {
        Statement on(Connection physical, String sql) throws SQLException;
    }

    @Override
    public @Nullable Object call(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        requireLive();
        String name = method.getName();
        if (name.startsWith("execute")) {
            if (arguments != null && arguments.length > 0) {
                // Which the driver does not refuse if there is a further argument.
                throw new SQLException("A prepared statement has its SQL already.", "42809");
            }
            return execute(proxy, method, null);
        }
        return name.equals("getMetaData") || name.equals("getParameterMetaData")
                ? describe(method)
                : set(method, named(method, arguments));
    }

    /**
     * Passes on a setter, and records it. A large object or a stream ends the commit in the round trip of the
     * write.
     */
    private @Nullable Object set(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        if (route.commit() != null && SingleTripCommit.isLarge(method, arguments)) {
            executeInTransaction();
        }
        switch (method.getName()) {
            case "addBatch" -> router.requireScope(route);
            // The driver writes large objects as soon as it is given them.
            case "setBlob", "setClob" -> router.beforeWrite(route, method.getName());
            default ->
                // What is no plain query is executed within a transaction in any case.
                readsTime |= route.analysis().plain()
                        && arguments != null
                        && arguments.length > 1
                        && arguments[1] instanceof String text
                        && CurrentTimes.isText(text);
        }
        calls.note(method, arguments);
        return forward(method, arguments);
    }

    /** Returns the arguments of a setter, in which types of the shard are named with its schema. */
    private @Nullable Object @Nullable [] named(Method method, @Nullable Object @Nullable [] arguments)
            throws SQLException {
        if (arguments == null
                || arguments.length < 2
                || !(arguments[1] instanceof PGobject || arguments[1] instanceof Array)
                || !(method.getName().equals("setObject") || method.getName().equals("setArray"))) {
            return arguments;
        }
        @Nullable Object[] named = arguments.clone();
        named[1] = ShardTypes.named(arguments[1], route.schema(), route.physical());
        return named;
    }

    /**
     * Executes the statement. If it was announced as the last write, but something else is executed by now, it
     * becomes a part of the transaction.
     */
    @Override
    @Nullable
    Object execute(Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        router.requireScope(route);
        SingleTripCommit commit = route.commit();
        if (commit != null
                && (router.transaction.lastWrite != commit
                        || arguments != null
                        || !commit.fits(physical, method, calls.rows())
                        || Router.needsTransaction(physical)
                        || !router.transaction.allowsSingleTrip(route.physical().database()))) {
            executeInTransaction();
        }
        ShardSearch search = followBefore();
        batched = method.getName().endsWith("Batch");
        try {
            return run(method, arguments, search);
        } finally {
            calls.executed();
        }
    }

    /**
     * Returns the metadata of the statement. The database looks at the shard's tables to describe it, so it
     * follows a shard that has moved.
     */
    private @Nullable Object describe(Method method) throws Throwable {
        ShardSearch search = null;
        while (true) {
            boolean fresh = route.physical().undoesNothingElse();
            router.beforeDescription(route, physical);
            SQLException failure;
            try {
                return forward(method, null);
            } catch (SQLException e) {
                failure = e;
            } finally {
                router.afterExecution(route);
            }
            search = follow(search, failure, fresh);
        }
    }

    private void executeInTransaction() throws Throwable {
        if (!calls.areRepeatable()) {
            throw new SQLException(
                    "What this statement was given can be read only once: it is not sent again.", "0A000");
        }
        router.transaction.lastWrite = null;
        detach();
        attach(router.again(route));
    }

    @Override
    @Nullable
    Object pass(Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        return forward(method, arguments);
    }

    @Override
    public @Nullable Object forward(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        String name = method.getName();
        if (name.startsWith("execute")) {
            return physical instanceof PreparedStatement prepared
                    ? pathFirst == null ? send(prepared, method, null) : behindPath(method, pathFirst)
                    : executeTexts(method, Objects.requireNonNull(arguments, "the texts"));
        }
        boolean ofText = RecordedCalls.isSetting(method)
                || name.equals("getParameterMetaData")
                || (name.equals("getMetaData") && physical().getResultSet() == null);
        return DriverCall.forward(ofText ? physical : physical(), method, arguments);
    }

    /**
     * Executes a text, or the texts of a batch, by a statement without SQL of its own.
     *
     * @param arguments the text, and what keys are wanted; for a batch, its texts
     */
    private @Nullable Object executeTexts(Method method, @Nullable Object[] arguments) throws Throwable {
        if (batched) {
            for (Object text : arguments) {
                physical.addBatch(
                        router.shared.analyses().of(String.valueOf(text)).inSchema(route.schema()));
            }
            return DriverCall.forward(physical, method, null);
        }
        @Nullable Object[] sent = arguments.clone();
        sent[0] = pathFirst == null ? route.sqlToSend() : pathFirst.before(route.sqlToSend());
        return pathFirst == null
                ? DriverCall.forward(physical, method, sent)
                : pathFirst.execute(physical, method, sent);
    }

    /**
     * Executes the statement behind what sets the path: by another statement with that text, to which all
     * values are given.
     */
    private Object behindPath(Method method, PathFirst path) throws Throwable {
        PreparedStatement statement =
                (PreparedStatement) preparation.on(route.physical().connection(), path.before(route.sqlToSend()));
        behindPath = statement;
        calls.repeatOn(statement);
        return send(statement, method, path);
    }

    private Object send(PreparedStatement statement, Method method, @Nullable PathFirst path) throws Throwable {
        if (route.commit() != null) {
            return SingleTripCommit.run(statement, method, calls.rows(), path);
        }
        return path == null
                ? Objects.requireNonNull(DriverCall.forward(statement, method, null))
                : path.execute(statement, method, null);
    }

    private void beforeExecution() throws SQLException {
        closeBehindPath();
        if (readsTime) {
            router.begin(route);
        }
        boolean single = route.commit() != null ? calls.rows() <= 1 : !batched;
        boolean joins = single && calls.areRepeatable() && mayFollow();
        pathFirst = router.beforeExecution(route, physical, joins);
    }

    /**
     * Returns whether the statement may have another one before it, if it is not executed as a batch. The driver
     * updates rows, fetches them in parts, and returns generated keys, by a text with one statement only.
     */
    private boolean mayFollow() throws SQLException {
        return route.analysis().single()
                && !wantsKeys
                && !(physical instanceof CallableStatement)
                && !Router.needsTransaction(physical);
    }

    /** Closes the statement that was executed behind the path, and its results. */
    private void closeBehindPath() throws SQLException {
        PreparedStatement last = behindPath;
        behindPath = null;
        if (last != null) {
            last.close();
        }
    }

    /**
     * Executes the statement, as often as needed.
     *
     * @param begun the search for its shard; null unless the statement has looked for it before
     * @return what the method of the driver returns
     * @throws SQLException the failure, explained for the application
     */
    private @Nullable Object run(Method method, @Nullable Object @Nullable [] arguments, @Nullable ShardSearch begun)
            throws Throwable {
        Transaction transaction = router.transaction;
        ShardSearch search = begun;
        while (true) {
            SingleTripCommit commit = route.commit();
            boolean onReplica = route.physical().isReplica();
            boolean fresh = route.physical().undoesNothingElse();
            if (!onReplica) {
                beforeExecution();
            }
            SQLException failure;
            try {
                if (onReplica) {
                    beforeExecution(); // a replica's failure at that, too, leads to the database itself
                }
                if (commit != null) {
                    transaction.sending(commit, route.physical().database());
                }
                Object result = watched(method, arguments);
                router.succeeded(route);
                transaction.ran(route, calls::text);
                if (commit != null) {
                    transaction.committed(commit, route.physical(), null);
                }
                return result;
            } catch (SQLException e) {
                failure = e;
            } finally {
                router.afterExecution(route);
            }
            if (commit != null) {
                if (ConnectionLoss.isLoss(failure)) {
                    transaction.committed(commit, route.physical(), failure);
                    return SingleTripCommit.written(method, calls.rows());
                }
                transaction.refused();
            }
            if (onReplica) {
                leaveReplica(failure);
            } else if (commit == null || !moveIntoTransaction(failure)) {
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
    private boolean moveIntoTransaction(SQLException failure) throws Throwable {
        if (router.relocation().mayHaveMoved(route, failure)
                || SingleTripCommit.isTimeout(failure)
                || !calls.areRepeatable()) {
            return false;
        } else if (route.physical().isInTransaction()) {
            if (!route.physical().hasFailed()) {
                router.transaction.failedOn(route.physical().database());
                return false; // it was the COMMIT: the transaction has ended, and nothing is stored
            }
            SingleTripCommit.undo(route.physical());
        }
        executeInTransaction();
        return true;
    }

    /** Calls the physical statement, followed by a listener. */
    private @Nullable Object watched(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        RoutingListener listener = router.shared.listener();
        if (listener == RoutingListener.NONE) {
            return forward(method, arguments);
        }
        RoutingListener.Watch watch = listener.statement(
                route.analysis().writes() ? RoutingListener.Kind.WRITE : RoutingListener.Kind.READ,
                route.target(),
                route.physical().database());
        try {
            return forward(method, arguments);
        } catch (Throwable e) {
            watch.failed(e);
            throw e;
        } finally {
            watch.close();
        }
    }

    /** Continues on the database itself, or throws the failure of the replica. */
    private void leaveReplica(SQLException failure) throws Throwable {
        if (!calls.areRepeatable() || !router.leavesReplica(route, failure)) {
            throw router.failed(route, failure);
        }
        detach();
        attach(router.toPrimary(route));
    }

    /**
     * Goes to where the shard is that was not where the statement was sent.
     *
     * @param fresh whether the failure takes nothing with it that the transaction has done before
     * @throws SQLException what the application receives if the statement cannot be sent again
     */
    private ShardSearch follow(@Nullable ShardSearch begun, SQLException failure, boolean fresh) throws Throwable {
        if (!router.relocation().mayHaveMoved(route, failure) || mayBeCommitted(failure, fresh)) {
            throw router.failed(route, failure);
        } else if (!fresh || !calls.areRepeatable()) {
            throw router.failed(route, router.relocation().unrepeatable(route, failure));
        }
        ShardSearch search = begun == null ? router.relocation().search(route) : begun;
        detach();
        router.relocation().find(route, search, failure);
        attach(router.again(route));
        return search;
    }

    /**
     * Returns whether some of what has failed may have been committed, so that it must not be repeated. In
     * autocommit, the driver ends a transaction every few hundred rows of a batch, and a procedure may end any
     * number.
     */
    private boolean mayBeCommitted(SQLException failure, boolean fresh) {
        if (!fresh || route.physical().isInTransaction()) {
            return false;
        }
        long[] counts = failure instanceof BatchUpdateException batch ? batch.getLargeUpdateCounts() : null;
        return (route.analysis().mayCommit() && !isUnexecuted(failure))
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
                && calls.rows() == 0
                && route.sql().indexOf(';') < 0;
    }

    /**
     * Continues where the shard is, if it is known to have left, or to be about to leave. This spares the
     * failure, which would end the transaction.
     *
     * @return the search; null if the shard has not left. A statement that cannot be repeated stays, and fails
     *     where it is
     */
    private @Nullable ShardSearch followBefore() throws Throwable {
        // The map is compared first, since it mostly is the one by which the statement was routed.
        if (route.isDecidedBy(router.shared.databases().youngMap())
                || !router.relocation().isElsewhere(route)) {
            return null;
        }
        ShardSearch search = router.relocation().search(route);
        if (calls.areRepeatable()) {
            detach();
            router.relocation().leave(route);
            attach(router.again(route));
        }
        return search;
    }

    private void attach(Route next) throws Throwable {
        next.physical().statementOpened();
        try {
            Statement statement = preparation.on(next.physical().connection(), next.sqlToSend());
            calls.repeatOn(statement);
            route = next;
            physical = statement;
            detached = false;
        } catch (SQLException | RuntimeException e) {
            router.closed(next.physical());
            throw e;
        }
    }

    private void detach() {
        try {
            release();
        } catch (SQLException e) {
            LOG.debug("A statement for {} could not be closed", route.physical().name(), e);
        }
    }

    /**
     * Continues with a new physical statement if there is none, and fails if the connection went back to its
     * pool, where other callers use it.
     */
    private void requireLive() throws Throwable {
        if (detached) {
            attach(router.again(route));
        }
        if (route.physical().isReleased()) {
            throw new SQLException(
                    "The transaction in which this statement was prepared has ended, and its connection has gone back to"
                            + " the pool. Prepare the statement again.",
                    "26000");
        }
    }

    @Override
    public void release() throws SQLException {
        if (detached) {
            return;
        }
        detached = true;
        try {
            closeBehindPath();
            physical.close();
        } finally {
            router.closed(route.physical());
        }
    }

    @Override
    public Statement physical() {
        PreparedStatement last = behindPath;
        return last == null ? physical : last;
    }

    @Override
    public Route route() {
        return route;
    }
}
