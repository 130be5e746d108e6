package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.session.Session;
import io.github.shardedid.routing.internal.session.SessionPath;
import io.github.shardedid.routing.internal.session.Sessions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection taken from a database's pool, from then until it goes back. For one thread at a time, but for
 * {@link #abort}.
 */
public final class PhysicalConnection {
    private static final Logger LOG = LoggerFactory.getLogger(PhysicalConnection.class);

    private final String database;
    /** Null for a connection to the database itself. */
    private final @Nullable Replica replica;

    private final Connection connection;
    private final Sessions sessions;
    private final ReplayedSettings replayed;
    private final TransactionUse use = new TransactionUse();
    private @Nullable Session session;
    private @Nullable BaseConnection driver;
    private boolean inTransaction;
    private final PathAlignment pathAlignment;
    private boolean inStatementTransaction;
    private Target.@Nullable Single handedOutFor;
    private boolean broken;
    private int statements;
    private volatile boolean released;

    public PhysicalConnection(String database, @Nullable Replica replica, Connection connection, Sessions sessions) {
        this.database = database;
        this.replica = replica;
        this.connection = connection;
        this.sessions = sessions;
        this.replayed = new ReplayedSettings(connection);
        this.pathAlignment = new PathAlignment(this, sessions.names());
    }

    public String database() {
        return database;
    }

    @Nullable
    Replica replica() {
        return replica;
    }

    public boolean isReplica() {
        return replica != null;
    }

    public String name() {
        return replica == null ? database : replica.name();
    }

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

    void attempt(Work work) throws SQLException {
        try {
            work.on(connection);
        } catch (SQLException e) {
            throw ConnectionLoss.explain(e, database(), null);
        }
    }

    /** Does something that must succeed before the connection is used; else it is given back. */
    public void setUp(Work work) throws SQLException {
        try {
            work.on(connection);
        } catch (SQLException | RuntimeException e) {
            release();
            throw e;
        }
    }

    static void execute(Connection target, String sql) throws SQLException {
        try (Statement statement = target.createStatement()) {
            statement.execute(sql);
        }
    }

    public void replay(ConnectionSettings settings) throws SQLException {
        try {
            replayed.replay(settings, inTransaction);
        } catch (SQLException e) {
            throw ConnectionLoss.explain(e, database(), null);
        }
    }

    /**
     * Its statements belong to a transaction from here to its end. Nothing is sent but an isolation
     * level, if one was set: the driver sends BEGIN along with the next statement.
     */
    public void begin(ConnectionSettings settings) throws SQLException {
        inTransaction = true;
        replay(settings);
        use.snapshot = settings.haveSnapshot(session());
        attempt(target -> settings.begin(target, use.snapshot));
    }

    /** Waits for the disk if ids were taken, as a commit does; within the transaction, after all was rolled back. */
    void flushReservations() throws SQLException {
        attempt(target -> use.flushReservations(target, "", inTransaction));
    }

    public boolean isPinned() {
        return inTransaction || use.pinned;
    }

    public TransactionUse use() {
        return use;
    }

    public boolean isInTransaction() {
        return inTransaction;
    }

    /** To be called once, before anything is sent: the session's search path names no shard from then on. */
    public void start() throws SQLException {
        session().start(connection, driver(), name());
    }

    public PathAlignment pathAlignment() {
        return pathAlignment;
    }

    public SessionPath path() throws SQLException {
        return session().path();
    }

    /** The search path as the server reports it, from PostgreSQL 18 on; null before. */
    @Nullable
    String reportedPath() throws SQLException {
        BaseConnection known = driver();
        return known == null ? null : known.getQueryExecutor().getParameterStatus("search_path");
    }

    /** Returns whether its statements belong to a transaction, or this one to a transaction of its own. */
    boolean isWithinTransaction() {
        return inTransaction || inStatementTransaction;
    }

    /**
     * Begins a transaction for one statement that is executed in autocommit: behind a pooler, the search path can be set neither for
     * longer nor for less.
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

    /** Ends the transaction of a statement; does nothing if there is none. */
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

    /** The driver's own connection below all proxies; null if there is none of PostgreSQL's. */
    private @Nullable BaseConnection driver() throws SQLException {
        if (driver == null && connection.isWrapperFor(BaseConnection.class)) {
            driver = connection.unwrap(BaseConnection.class);
        }
        return driver;
    }

    /** The application gets hold of the driver's connection: it may do anything with it until it goes back. */
    public <T> T handOut(Class<T> type, Target.Single target) throws SQLException {
        T driver = connection.unwrap(type);
        handedOutFor = target;
        use.touched = true;
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

    /** The target for which its driver's connection was given to the application; null if it was not. */
    public Target.@Nullable Single handedOutFor() {
        return handedOutFor;
    }

    /** Whether it may go back before the routed connection's transaction ends. */
    public boolean isReleasable() {
        return isUnused() && !isPinned();
    }

    /** Whether only the transaction may still hold it. */
    boolean isUnused() {
        return statements == 0 && !isHandedOut() && !released;
    }

    boolean canBeChecked() throws SQLException {
        return !is(TransactionState.IDLE);
    }

    /** Whether a statement has failed since the transaction's begin or savepoint, so that a commit would roll back. */
    public boolean hasFailed() throws SQLException {
        return is(TransactionState.FAILED);
    }

    private boolean is(TransactionState state) throws SQLException {
        BaseConnection known = driver();
        return known != null && known.getTransactionState() == state;
    }

    void commit() throws SQLException {
        try {
            use.flushReservations(connection, pathAlignment.beforeCommit(), true);
            connection.commit(); // nothing is sent if it was committed so

        } catch (SQLException e) {
            throw ConnectionLoss.explainCommit(e, database());
        }
        path().committed();
        pathAlignment.ended();
    }

    /** One that broke is rolled back by its server: that it cannot be reached is not a failure. */
    public void rollback() throws SQLException {
        path().rolledBack();
        pathAlignment.ended();
        use.clear();
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

    void abort(Executor executor) throws SQLException {
        connection.abort(executor);
    }

    /** Gives the connection back as it came. Never fails: one that cannot be restored is closed for good. */
    public void release() {
        if (released) {
            return;
        }
        released = true;
        try {
            if (isHandedOut()) {
                path().forget();
            }
            if (broken) {
                discard();
            } else {
                replayed.restore();
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

    private void discard() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection to database {} could not be aborted", database(), e);
        }
    }
}
