package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.session.Session;
import io.github.shardedid.routing.internal.session.Sessions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection taken from a database's pool, from then until it goes back. For one thread at a time, but for
 * {@link #abort}.
 *
 * <p>It has one of three states: it is in autocommit, it belongs to the transaction of the routed connection,
 * or it has a transaction for one statement behind a pooler. What outlives it, such as the search path, belongs
 * to the {@link Session}. It can go back to the pool while it has no open statement, is not pinned to a
 * transaction, and its driver's connection was not given to the application.
 */
public final class PhysicalConnection {
    private static final Logger LOG = LoggerFactory.getLogger(PhysicalConnection.class);

    /**
     * Makes the commit wait for the disk if the transaction has written nothing: a transaction id alone does
     * not, since a transaction may have written to temporary tables only.
     */
    private static final String STORED = "SELECT pg_catalog.pg_logical_emit_message(true, 'sharded-id', ''); ";

    private final String database;
    /** The replica; null for a connection to the database itself. */
    private final @Nullable Replica replica;

    /** The pool's connection, which is closed once, by {@link #release}. */
    private final Connection connection;

    private final Sessions sessions;
    /** The mode in which the pool gave the connection; null while it is the same. */
    private @Nullable Boolean autoCommitBefore;

    private @Nullable Boolean readOnlyBefore;
    private @Nullable Integer isolationBefore;
    /** The knowledge about the session; null until it is needed first. */
    private @Nullable Session session;
    /** The driver's own connection; null until it is needed, and for another driver's. */
    private @Nullable BaseConnection driver;
    /** True from {@link #begin} on. The connection is released at the end of the transaction. */
    private boolean inTransaction;

    private final PathAlignment pathAlignment;
    /** True while one statement has a transaction of its own. */
    private boolean inStatementTransaction;
    /** The target for which the application has the driver's connection; null if it has not got it. */
    private Target.@Nullable Single handedOutFor;
    /** True if a rollback has failed, so that the pool must not get the connection back alive. */
    private boolean broken;
    /** The number of statements and results that are open. */
    private int statements;
    /** True when it has gone back. Volatile, as {@link PhysicalConnections#abort} runs on another thread. */
    private volatile boolean released;

    /**
     * The targets for which the transaction has sent something; mostly one. Replaced, never changed. A shard that it
     * has used cannot move away before the transaction ends, as its locks are in the way.
     */
    private List<Target.Single> targets = List.of();
    /** The number of settings of the transaction that hold here. */
    int localSettings;
    /** True if the transaction has one snapshot here, and has had the savepoints from before it began. */
    boolean snapshot;
    /** True if the transaction has sent something, so that a failure undoes more than the statement that failed. */
    public boolean touched;
    /** True if the connection stays with the transaction, which has not begun here yet. */
    boolean pinned;
    /** True if ids were reserved that a crash may make again, until a commit has waited for the disk. */
    public boolean reservedIds;
    /**
     * True if there may be a transaction id that proves no write: row locks leave one, and writes that were
     * rolled back to a savepoint.
     */
    public boolean mayHaveTransactionId;
    /** True if the transaction has run something that is not known to write nothing. */
    public boolean mayHaveWritten;
    /** True if the transaction has run something that fetches its rows in parts. */
    public boolean mayHaveCursors;
    /**
     * What names the transaction in claims of values that are unique over all shards, see {@code RoutingControl.claimant}; null until it was asked
     * for. A rollback to a savepoint forgets it, as it may let go of the lock that keeps the shard here.
     */
    public @Nullable List<String> claimant;
    /** True if something was defined or dropped, which no other session sees before the end of the transaction. */
    public boolean defined;

    public PhysicalConnection(String database, @Nullable Replica replica, Connection connection, Sessions sessions) {
        this.database = database;
        this.replica = replica;
        this.connection = connection;
        this.sessions = sessions;
        this.pathAlignment = new PathAlignment(this, sessions.names());
    }

    public String database() {
        return database;
    }

    /** Returns whether a failure of a statement undoes nothing that the transaction has done before. */
    public boolean undoesNothingElse() {
        return !inTransaction || !touched;
    }

    @Nullable
    Replica replica() {
        return replica;
    }

    public boolean isReplica() {
        return replica != null;
    }

    /** Returns the name for messages and for what is known of catalogs: a replica may lag behind its database. */
    public String name() {
        return replica == null ? database : replica.name();
    }

    /** Does a check if it has not succeeded in this session before. */
    public void checkOnce(Work check) throws SQLException {
        if (!session().checked) {
            check.on(connection);
            session().checked = true;
        }
    }

    public Connection connection() {
        return connection;
    }

    public boolean isReleased() {
        return released;
    }

    public interface Work {
        void on(Connection target) throws SQLException;
    }

    /** Does something with the pool's connection, and explains its loss. */
    void attempt(Work work) throws SQLException {
        try {
            work.on(connection);
        } catch (SQLException e) {
            throw ConnectionLoss.explain(e, database(), null);
        }
    }

    /**
     * Does something that must succeed before the connection is used; otherwise the connection is given back to
     * its pool.
     */
    public void setUp(Work work) throws SQLException {
        try {
            work.on(connection);
        } catch (SQLException | RuntimeException e) {
            release();
            throw e;
        }
    }

    /** Executes a text of the routing, and explains the loss of the connection. */
    void execute(String sql) throws SQLException {
        attempt(target -> execute(target, sql));
    }

    /** Asks a question with one parameter. */
    boolean isTrue(String question, String parameter) throws SQLException {
        boolean[] answer = new boolean[1];
        attempt(target -> {
            try (PreparedStatement query = target.prepareStatement(question)) {
                query.setString(1, parameter);
                ResultSet row = query.executeQuery();
                row.next();
                answer[0] = row.getBoolean(1);
            }
        });
        return answer[0];
    }

    public static void execute(Connection target, String sql) throws SQLException {
        try (Statement statement = target.createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * Changes the settings that differ from those of the routed connection. Called again when one changes.
     *
     * <p>The pool gives the connection to other callers afterwards, perhaps without routing. So everything is
     * restored that was changed, and nothing else: a pool may have set its own defaults, and resetting what never
     * differed would be round trips.
     */
    public void replay(ConnectionSettings settings) throws SQLException {
        attempt(target -> {
            Boolean readOnly = settings.readOnly;
            if (readOnly != null && target.isReadOnly() != readOnly) {
                readOnlyBefore = Objects.requireNonNullElse(readOnlyBefore, !readOnly);
                target.setReadOnly(readOnly);
            }
            if (target.getAutoCommit() == inTransaction) {
                autoCommitBefore = Objects.requireNonNullElse(autoCommitBefore, inTransaction);
                target.setAutoCommit(!inTransaction);
            }
            // In autocommit the session's level counts; a transaction gets its own at its begin.
            Integer isolation = settings.isolation;
            if (!inTransaction && isolation != null) {
                int before = target.getTransactionIsolation();
                if (before != isolation) {
                    isolationBefore = Objects.requireNonNullElse(isolationBefore, before);
                    target.setTransactionIsolation(isolation);
                }
            }
        });
    }

    /** Restores the settings as the pool gave them: outside a transaction, as the driver demands. */
    private void restore() throws SQLException {
        if (autoCommitBefore != null) {
            connection.setAutoCommit(autoCommitBefore);
        }
        if (readOnlyBefore != null) {
            connection.setReadOnly(readOnlyBefore);
        }
        if (isolationBefore != null) {
            connection.setTransactionIsolation(isolationBefore);
        }
    }

    /**
     * Begins the transaction: from here to its end, the statements belong to it. Nothing is sent but an
     * isolation level, if one was set: the driver sends BEGIN along with the next statement.
     */
    public void begin(ConnectionSettings settings) throws SQLException {
        inTransaction = true;
        replay(settings);
        snapshot = settings.haveSnapshot(session());
        String begin = settings.begin(snapshot);
        if (!begin.isEmpty()) {
            execute(begin);
        }
    }

    /**
     * Waits for the disk if ids were reserved, as a commit does. Within a transaction it is called after
     * everything was rolled back, and commits only that.
     */
    void flushReservations() throws SQLException {
        if (reservedIds) {
            execute(STORED + (inTransaction ? "COMMIT" : ""));
            reservedIds = false;
        }
    }

    /** Returns whether the connection stays with the transaction to its end. */
    public boolean isPinned() {
        return inTransaction || pinned;
    }

    /** Notes that the transaction sends a statement for a target. */
    public void use(Target.Single target) {
        touched = true;
        if (!hasUsed(target)) {
            targets = Stream.concat(targets.stream(), Stream.of(target)).toList();
        }
    }

    public boolean hasUsed(Target.Single target) {
        return targets.contains(target);
    }

    /** The use that the transaction has made of the connection, at a savepoint. */
    record Use(List<Target.Single> targets, int localSettings) {
        static final Use NONE = new Use(List.of(), 0);
    }

    Use use() {
        return new Use(targets, localSettings);
    }

    /** Notes that everything was rolled back that was done since. */
    void backTo(Use earlier) {
        targets = earlier.targets;
        localSettings = earlier.localSettings;
        claimant = null;
    }

    public boolean isInTransaction() {
        return inTransaction;
    }

    /** Returns whether it is in a transaction that claims values, so that its last write is sent with the COMMIT of that. */
    public boolean isClaiming() {
        return inTransaction && claimant != null;
    }

    /** Prepares the session, once, before anything else is sent: from then on its search path names no shard. */
    public void start() throws SQLException {
        session().start(connection, driver(), name());
    }

    public PathAlignment pathAlignment() {
        return pathAlignment;
    }

    /**
     * Returns the search path as the server reports it, from PostgreSQL 18 on; null before. It costs no round
     * trip.
     */
    @Nullable
    String reportedPath() throws SQLException {
        BaseConnection known = driver();
        return known == null ? null : known.getQueryExecutor().getParameterStatus("search_path");
    }

    /**
     * Returns whether its statements belong to a transaction, be it that of the routed connection or one for a
     * single statement.
     */
    boolean isWithinTransaction() {
        return inTransaction || inStatementTransaction;
    }

    /**
     * Begins a transaction for one statement that is executed in autocommit. Behind a pooler, the next
     * statement may get another session of the server, so that the search path holds within a transaction only.
     *
     * @param statement the statement, whose rows are fetched at once; null if there is none, which is refused
     */
    public void beginStatementTransaction(@Nullable Statement statement) throws SQLException {
        if (!inStatementTransaction) {
            if (statement == null) {
                throw new SQLFeatureNotSupportedException(
                        "Behind a pooler, names without a schema mean the shard within a"
                                + " transaction only: begin one.");
            }
            statement.setFetchSize(0); // its rows must outlive the transaction
            connection.setAutoCommit(false);
            inStatementTransaction = true;
        }
    }

    /** Ends the transaction of a statement; does nothing if there is none. One that has failed is rolled back. */
    public void endStatementTransaction() throws SQLException {
        if (inStatementTransaction) {
            inStatementTransaction = false;
            if (hasFailed()) {
                rollback();
            } else {
                commit();
            }
            connection.setAutoCommit(true);
        }
    }

    public Session session() throws SQLException {
        if (session == null) {
            session = sessions.of(driver());
        }
        return session;
    }

    /** Returns the driver's own connection below all proxies; null if there is none of PostgreSQL's. */
    private @Nullable BaseConnection driver() throws SQLException {
        if (driver == null && connection.isWrapperFor(BaseConnection.class)) {
            driver = connection.unwrap(BaseConnection.class);
        }
        return driver;
    }

    /**
     * Gives the driver's connection to the application, which may do anything with it until it goes back. So
     * nothing that is known of the session counts from then on, and other targets are refused.
     */
    public <T> T handOut(Class<T> type, Target.Single target) throws SQLException {
        T driver = connection.unwrap(type);
        handedOutFor = target;
        touched = true;
        return driver;
    }

    public void statementOpened() {
        statements++;
    }

    public void statementClosed() {
        statements--;
    }

    public boolean isHandedOut() {
        return handedOutFor != null;
    }

    /** Returns the target for which the driver's connection was given to the application; null if it was not. */
    public Target.@Nullable Single handedOutFor() {
        return handedOutFor;
    }

    /** Returns whether it may go back before the routed connection's transaction ends. */
    public boolean isReleasable() {
        return isUnused() && !isPinned();
    }

    /** Returns whether only the transaction may still hold it. */
    boolean isUnused() {
        return statements == 0 && !isHandedOut() && !released;
    }

    /**
     * Returns whether a query can be sent together with the COMMIT. Nothing was sent to a server in a
     * transaction that is still idle, so that nothing was written there.
     */
    boolean canBeChecked() throws SQLException {
        return !is(TransactionState.IDLE);
    }

    /**
     * Returns whether a statement has failed since the transaction's begin or savepoint, so that a commit would
     * roll back.
     */
    public boolean hasFailed() throws SQLException {
        return is(TransactionState.FAILED);
    }

    private boolean is(TransactionState state) throws SQLException {
        BaseConnection known = driver();
        return known != null && known.getTransactionState() == state;
    }

    /**
     * Commits. If ids were reserved, or the path is wrong for deferred triggers, the COMMIT is sent with what
     * comes before it in one round trip; the driver's own commit then sends nothing, as it knows that the
     * transaction has ended.
     */
    void commit() throws SQLException {
        try {
            String before = pathAlignment.beforeCommit() + (reservedIds ? STORED : "");
            if (!before.isEmpty()) {
                execute(connection, before + "COMMIT");
                reservedIds = false;
            }
            connection.commit(); // nothing is sent if it was committed so
        } catch (SQLException e) {
            throw ConnectionLoss.explainCommit(e, database());
        }
        session().committed();
        pathAlignment.ended();
    }

    /** Rolls back. One that broke is rolled back by its server, so that it cannot be reached is not a failure. */
    public void rollback() throws SQLException {
        session().rolledBack();
        pathAlignment.ended();
        backTo(Use.NONE);
        touched = false;
        mayHaveTransactionId = false;
        mayHaveWritten = false;
        mayHaveCursors = false;
        broken = true; // unless the rollback succeeds: restoring settings would commit
        try {
            connection.rollback();
            broken = false;
        } catch (SQLException e) {
            if (!connection.isClosed()) {
                throw ConnectionLoss.explain(e, database(), null);
            }
            LOG.debug("A connection to database {} was lost before it could be rolled back", database(), e);
        }
    }

    /** Aborts the connection. May be called by another thread. */
    void abort(Executor executor) throws SQLException {
        connection.abort(executor);
    }

    /**
     * Gives the connection back as it came. It never fails, as it is called where another failure is under way:
     * a connection that cannot be restored is closed for good.
     */
    public void release() {
        if (released) {
            return;
        }
        released = true;
        try {
            if (isHandedOut()) {
                session().forgetPath();
            }
            if (broken) {
                discard();
            } else {
                restore();
            }
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection to database {} could not be restored and is closed", database(), e);
            discard();
        }
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection to database {} could not be closed", database(), e);
        }
    }

    /** Aborts the connection, so that its pool does not use it again. */
    private void discard() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection to database {} could not be aborted", database(), e);
        }
    }
}
