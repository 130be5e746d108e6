package io.github.shardedid.routing.internal;

import java.sql.Connection;
import java.sql.SQLException;
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
final class PhysicalConnection {
    private static final Logger LOG = LoggerFactory.getLogger(PhysicalConnection.class);

    private final String database;
    private final Connection connection;
    private final Sessions sessions;
    private final @Nullable Replica replica;
    private final ReplayedSettings replayed;
    private final TransactionUse use = new TransactionUse();
    private @Nullable Session session;
    private @Nullable BaseConnection driver;
    private boolean inTransaction;
    private boolean assignsTransactionId;
    private int handedOutFor = Place.NONE;
    private boolean broken;
    private int statements;
    private volatile boolean released;

    PhysicalConnection(String database, Connection connection, Sessions sessions) {
        this(database, connection, sessions, null);
    }

    PhysicalConnection(String database, Connection connection, Sessions sessions, @Nullable Replica replica) {
        this.replica = replica;
        this.database = database;
        this.connection = connection;
        this.sessions = sessions;
        this.replayed = new ReplayedSettings(connection);
    }

    String database() {
        return database;
    }

    /** The replica that it is connected to, or null for the database itself. */
    @Nullable
    Replica replica() {
        return replica;
    }

    /** For messages. */
    String name() {
        return replica == null ? database : database + " (its replica " + replica.number() + ")";
    }

    /** Does a check unless this session has passed it before. */
    void checkOnce(Work check) throws SQLException {
        if (!session().isChecked()) {
            check.on(connection);
            session().checked();
        }
    }

    /** Whether its transactions are READ COMMITTED unless told otherwise; asked once for each session, in autocommit. */
    boolean isReadCommitted() throws SQLException {
        Boolean known = session().isReadCommitted();
        if (known == null) {
            known = connection.getTransactionIsolation() <= Connection.TRANSACTION_READ_COMMITTED;
            session().setReadCommitted(known);
        }
        return known;
    }

    Connection connection() {
        return connection;
    }

    boolean isReleased() {
        return released;
    }

    /** What is done with the connection beside the application's statements. */
    interface Work {
        void on(Connection target) throws SQLException;
    }

    /** If the connection breaks, the failure names the database. */
    void attempt(Work work) throws SQLException {
        try {
            work.on(connection);
        } catch (SQLException e) {
            throw ConnectionLoss.explain(e, database);
        }
    }

    static void execute(Connection target, String sql) throws SQLException {
        try (Statement statement = target.createStatement()) {
            statement.execute(sql);
        }
    }

    void replay(ConnectionSettings settings) throws SQLException {
        attempt(ignored -> replayed.replay(settings, inTransaction));
    }

    /**
     * Its statements belong to the routed connection's transaction from here to its end. Nothing is sent but an isolation
     * level, if one was set: the driver sends BEGIN along with the next statement.
     */
    void begin(ConnectionSettings settings) throws SQLException {
        inTransaction = true;
        replay(settings);
        attempt(settings::begin);
    }

    /** What the transaction has done on it. */
    TransactionUse use() {
        return use;
    }

    /** If not, it is in autocommit. */
    boolean isInTransaction() {
        return inTransaction;
    }

    /** Makes unqualified names mean a shard's tables; one turn unless that is certain already. */
    void useSchema(String schema) throws SQLException {
        Session known = session();
        if (!known.is(schema)) {
            known.forget();
            attempt(target -> execute(target, "SET search_path TO " + schema));
            known.set(schema, inTransaction);
        }
    }

    /** Whether it was open at an instant of {@code nanoTime}; so the server has not crashed since. */
    boolean isOpenSince(long nanos) throws SQLException {
        return session().isOpenSince(nanos);
    }

    /** Someone else may have changed the search path. */
    void forgetSchema() throws SQLException {
        session().forget();
    }

    private Session session() throws SQLException {
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
    void handOut(int place) {
        handedOutFor = place;
        use.touch();
    }

    void statementOpened() {
        statements++;
    }

    void statementClosed() {
        statements--;
    }

    boolean isHandedOut() {
        return handedOutFor != Place.NONE;
    }

    /** The place for which its driver's connection was given to the application, or {@link Place#NONE}. */
    int handedOutFor() {
        return handedOutFor;
    }

    /** Whether nothing needs it any longer, and it may go back before the routed connection's transaction ends. */
    boolean isIdle() {
        return isUnneeded() && !inTransaction;
    }

    /** Whether no statement and nobody holds it, but perhaps the transaction. */
    boolean isUnneeded() {
        return statements == 0 && !isHandedOut() && !released;
    }

    /** Row locks, and writes that were rolled back to a savepoint, leave a transaction id, which then proves nothing. */
    void expectTransactionId() {
        assignsTransactionId = true;
    }

    boolean expectsTransactionId() {
        return assignsTransactionId;
    }

    /** Whether the check for hidden writes has something to say. */
    boolean canBeChecked() throws SQLException {
        return !is(TransactionState.IDLE);
    }

    /** Whether a statement has failed since the transaction's begin or savepoint, so that a commit would roll back. */
    boolean hasFailed() throws SQLException {
        return is(TransactionState.FAILED);
    }

    private boolean is(TransactionState state) throws SQLException {
        BaseConnection known = driver();
        return known != null && known.getTransactionState() == state;
    }

    void commit() throws SQLException {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw ConnectionLoss.explainCommit(e, database);
        }
        if (session != null) {
            session.committed();
        }
    }

    /** One that broke is rolled back by its server: that there is nobody left to tell is no failure. */
    void rollback() throws SQLException {
        if (session != null) {
            session.rolledBack();
        }
        assignsTransactionId = false;
        use.clear();
        broken = true; // unless the rollback succeeds: restoring settings would commit
        try {
            connection.rollback();
            broken = false;
        } catch (SQLException e) {
            if (!connection.isClosed()) {
                throw ConnectionLoss.explain(e, database);
            }
            LOG.debug("A connection to database {} was lost before it could be rolled back", database, e);
        }
    }

    void rolledBackToSavepoint() {
        if (session != null) {
            session.rolledBack();
        }
    }

    void abort(Executor executor) throws SQLException {
        connection.abort(executor);
    }

    /** Gives the connection back as it came. Never fails: one that cannot be restored is closed for good. */
    void release() {
        if (released) {
            return;
        }
        released = true;
        try {
            if (isHandedOut()) {
                forgetSchema();
            }
            if (broken) {
                discard();
            } else {
                replayed.restore();
            }
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection to database {} could not be restored and is closed", database, e);
            discard();
        }
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection to database {} could not be closed", database, e);
        }
    }

    private void discard() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection to database {} could not be aborted", database, e);
        }
    }
}
