package io.github.shardedid.routing.internal;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.PhysicalConnections;
import io.github.shardedid.routing.internal.connection.ReplicaReads;
import io.github.shardedid.routing.internal.connection.Route;
import io.github.shardedid.routing.internal.connection.Transaction;
import io.github.shardedid.routing.internal.scatter.ScatterSource;
import io.github.shardedid.routing.internal.scatter.Scatters;
import io.github.shardedid.routing.internal.statement.CurrentConnection;
import io.github.shardedid.routing.internal.statement.MetaDataFacade;
import io.github.shardedid.routing.internal.statement.PlainStatement;
import io.github.shardedid.routing.internal.statement.PreparedFacade;
import io.github.shardedid.routing.internal.statement.Router;
import io.github.shardedid.routing.internal.statement.SharedRouting;
import io.github.shardedid.routing.internal.statement.StatementCreation;
import io.github.shardedid.routing.internal.statement.StatementFacade;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Savepoint;
import java.sql.ShardingKey;
import java.sql.Statement;
import java.sql.Struct;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.jdbc.PgConnection;

/**
 * A connection that is bound to no database. Its prepared statements go where the current target is when they
 * are prepared, plain ones where it is when they are executed. Its settings are recorded, and replayed onto
 * physical connections if and when there are any.
 *
 * <p>This class only translates JDBC: it checks arguments and states, and passes calls on. {@link Router}
 * decides about statements, {@link Transaction} is the transaction, and {@link ScatterSource} makes the
 * statements for several shards. For one thread at a time, but for {@link #abort} and {@link #isClosed}.
 */
public final class RoutingConnection implements Connection {
    /** The preparation without options. Only such a statement can be the announced last write. */
    private static final PreparedFacade.Preparation PLAIN = Connection::prepareStatement;

    private static final String IN_TRANSACTION = "25001";
    private static final String NO_TRANSACTION = "25P01";
    private static final String NO_CONNECTION = "08003";

    private final SharedRouting shared;
    private final ConnectionSettings settings;
    private final PhysicalConnections connections;
    private final Transaction transaction;
    private final Router router;
    private final Scatters scatters;
    private final @Nullable ReplicaReads replicas;
    /** The statements for several shards; null until the first one. Another thread may abort them. */
    private volatile @Nullable ScatterSource source;
    /** Created when it is asked for. */
    private @Nullable RoutingControl beyondJdbc;

    private volatile boolean closed;

    /**
     * Creates a connection, which touches no database.
     *
     * @param request the key of the current request, for a connection that has none
     */
    public RoutingConnection(
            SharedRouting shared, Scatters scatters, boolean deferredBegin, Supplier<Target.@Nullable Single> request) {
        ConnectionSettings own = new ConnectionSettings(deferredBegin, request);
        this.replicas = shared.replicas() == null ? null : new ReplicaReads(shared.replicas(), own);
        this.shared = shared;
        this.settings = own;
        this.connections = new PhysicalConnections(shared.pools(), shared.sessions(), own);
        this.transaction = new Transaction(connections, own, replicas);
        this.router = new Router(shared, connections, own, transaction, replicas);
        this.scatters = scatters;
    }

    private ScatterSource scatters() {
        if (source == null) {
            source = new ScatterSource(scatters, router, connections, settings, transaction, replicas);
        }
        return Objects.requireNonNull(source);
    }

    /** Returns the connection for what is no statement. */
    private CurrentConnection current() {
        return new CurrentConnection(router);
    }

    private void requireTransaction() throws SQLException {
        requireOpen();
        if (settings.autoCommit) {
            throw new SQLException("Not allowed in autocommit mode: there is no transaction.", NO_TRANSACTION);
        }
    }

    /**
     * Sets where statements go outside any scope of a {@code ShardContext}; null for nowhere. JDBC refuses the
     * other methods for keys.
     */
    @Override
    public void setShardingKey(@Nullable ShardingKey key) throws SQLException {
        requireOpen();
        settings.keyed = key == null
                ? null
                : RoutedShardingKey.targetOf(key, shared.databases().cluster());
    }

    @Override
    public void setAutoCommit(boolean autoCommit) throws SQLException {
        requireOpen();
        if (settings.autoCommit == autoCommit) {
            return;
        }
        try {
            if (autoCommit) {
                transaction.commit();
            }
        } finally {
            settings.autoCommit = autoCommit;
        }
        connections.beginTransaction();
    }

    @Override
    public void commit() throws SQLException {
        requireTransaction();
        transaction.commit();
    }

    @Override
    public void rollback() throws SQLException {
        requireTransaction();
        transaction.rollback();
    }

    @Override
    public Savepoint setSavepoint() throws SQLException {
        requireTransaction();
        return transaction.setSavepoint(null);
    }

    @Override
    public Savepoint setSavepoint(String name) throws SQLException {
        requireTransaction();
        return transaction.setSavepoint(name);
    }

    @Override
    public void rollback(Savepoint savepoint) throws SQLException {
        requireTransaction();
        transaction.rollback(savepoint);
    }

    @Override
    public void releaseSavepoint(Savepoint savepoint) throws SQLException {
        requireTransaction();
        transaction.release(savepoint);
    }

    @Override
    public void close() throws SQLException {
        if (closed) {
            return;
        }
        closed = true;
        ScatterSource several = source;
        if (several != null) {
            several.close();
        }
        if (settings.autoCommit) {
            connections.releaseAll();
        } else {
            transaction.rollback();
        }
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    /** Returns whether the databases that it holds now answer; one that holds none is valid. */
    @Override
    public boolean isValid(int timeoutSeconds) throws SQLException {
        ConnectionSettings.requireTimeout(timeoutSeconds, "s");
        return !closed && connections.areValid(timeoutSeconds);
    }

    @Override
    public void abort(@Nullable Executor executor) throws SQLException {
        if (executor == null) {
            throw new SQLException("An executor is needed, not null.");
        } else if (!closed) {
            closed = true;
            ScatterSource several = source;
            if (several != null) {
                several.abort();
            }
            connections.abort(executor);
        }
    }

    @Override
    public DatabaseMetaData getMetaData() throws SQLException {
        requireOpen();
        return MetaDataFacade.of(this, current());
    }

    /**
     * Returns, for a type of the driver, the current shard's connection, held until the transaction ends or
     * this is closed.
     */
    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        } else if (type == RoutingControl.class) {
            if (beyondJdbc == null) {
                beyondJdbc = new RoutingControl(this, shared, settings, connections, transaction, router);
            }
            return type.cast(beyondJdbc);
        }
        requireOpen();
        if (!isWrapperFor(type)) {
            throw new SQLException("A routed connection wraps no " + type.getName() + ".");
        }
        return current().handOut(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        requireOpen();
        return type.isInstance(this) || type == RoutingControl.class || type.isAssignableFrom(PgConnection.class);
    }

    @Override
    public String toString() {
        return "routed connection over " + shared.pools().names();
    }

    private PreparedStatement prepared(String sql, PreparedFacade.Preparation preparation, boolean wantsKeys)
            throws SQLException {
        return routed(sql, PreparedStatement.class, preparation, wantsKeys).as(PreparedStatement.class);
    }

    private CallableStatement called(String sql, PreparedFacade.Preparation preparation) throws SQLException {
        return routed(sql, CallableStatement.class, preparation, false).as(CallableStatement.class);
    }

    /** Routes a statement by the scope, which is asked for once. */
    private StatementFacade routed(String sql, Class<?> type, PreparedFacade.Preparation preparation, boolean wantsKeys)
            throws SQLException {
        requireOpen();
        if (preparation != PLAIN) {
            transaction.lastWrite = null;
        }
        Target scope = ShardContext.target();
        if (scope instanceof ShardSet set && !router.isGlobal(sql)) {
            return scatters().prepare(this, sql, set, type);
        }
        Route route = router.connect(router.decide(sql, scope));
        PhysicalConnection physical = route.physical();
        physical.statementOpened();
        try {
            Statement statement = preparation.on(physical.connection(), route.sqlToSend());
            return new PreparedFacade(this, router, route, preparation, wantsKeys, statement);
        } catch (SQLException | RuntimeException e) {
            router.closed(physical);
            throw e;
        }
    }

    @Override
    public PreparedStatement prepareStatement(String sql) throws SQLException {
        return prepared(sql, PLAIN, false);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency) throws SQLException {
        return prepared(sql, (c, text) -> c.prepareStatement(text, type, concurrency), false);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
            throws SQLException {
        return prepared(sql, (c, text) -> c.prepareStatement(text, type, concurrency, holdability), false);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int autoGeneratedKeys) throws SQLException {
        return prepared(
                sql,
                (c, text) -> c.prepareStatement(text, autoGeneratedKeys),
                autoGeneratedKeys != Statement.NO_GENERATED_KEYS);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int[] columns) throws SQLException {
        return prepared(sql, (c, text) -> c.prepareStatement(text, columns), true);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, String[] columns) throws SQLException {
        return prepared(sql, (c, text) -> c.prepareStatement(text, columns), true);
    }

    @Override
    public CallableStatement prepareCall(String sql) throws SQLException {
        return called(sql, Connection::prepareCall);
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency) throws SQLException {
        return called(sql, (c, text) -> c.prepareCall(text, type, concurrency));
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability) throws SQLException {
        return called(sql, (c, text) -> c.prepareCall(text, type, concurrency, holdability));
    }

    @Override
    public Statement createStatement() throws SQLException {
        return createStatement(StatementCreation.DEFAULT);
    }

    @Override
    public Statement createStatement(int type, int concurrency) throws SQLException {
        return createStatement(new StatementCreation(type, concurrency, null));
    }

    @Override
    public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
        return createStatement(new StatementCreation(type, concurrency, holdability));
    }

    private Statement createStatement(StatementCreation creation) throws SQLException {
        requireOpen();
        creation.requireKnown();
        transaction.lastWrite = null;
        return new PlainStatement(
                        this, router, creation, (sql, created, keys) -> routed(sql, Statement.class, created, keys))
                .as(Statement.class);
    }

    /** Does something with a connection to the current shard, or to any shard of a set. */
    private <T> T onCurrentShard(String what, ScatterSource.Work<T> work) throws SQLException {
        requireOpen();
        if (ShardContext.target() instanceof ShardSet set) {
            return scatters().withAny(set, work);
        }
        PhysicalConnection taken = current().get(what);
        try {
            return work.on(taken.connection());
        } finally {
            router.releaseIfUnused(taken);
        }
    }

    @Override
    public Array createArrayOf(@Nullable String typeName, @Nullable Object @Nullable [] elements) throws SQLException {
        return onCurrentShard("createArrayOf", c -> c.createArrayOf(current().typeName(typeName), elements));
    }

    @Override
    public Struct createStruct(@Nullable String typeName, @Nullable Object @Nullable [] attributes)
            throws SQLException {
        return onCurrentShard("createStruct", c -> c.createStruct(current().typeName(typeName), attributes));
    }

    @Override
    public Blob createBlob() throws SQLException {
        return onCurrentShard("createBlob", Connection::createBlob);
    }

    @Override
    public Clob createClob() throws SQLException {
        return onCurrentShard("createClob", Connection::createClob);
    }

    @Override
    public NClob createNClob() throws SQLException {
        return onCurrentShard("createNClob", Connection::createNClob);
    }

    @Override
    public SQLXML createSQLXML() throws SQLException {
        return onCurrentShard("createSQLXML", Connection::createSQLXML);
    }

    void requireOpen() throws SQLException {
        if (closed) {
            throw new SQLException("The connection is closed.", NO_CONNECTION);
        }
    }

    /** Refuses to change a setting of the transaction once something was prepared in it. */
    private void requireNoTransaction(String setting) throws SQLException {
        boolean started = connections.all().length > 0 || transaction.prepared;
        if (!settings.autoCommit && started) {
            throw new SQLException("The " + setting + " cannot be changed within a transaction.", IN_TRANSACTION);
        }
    }

    /** PostgreSQL cannot change the database of a connection; like its driver, this does nothing. */
    @Override
    public void setCatalog(@Nullable String catalog) throws SQLException {
        requireOpen();
    }

    @Override
    public @Nullable String getCatalog() throws SQLException {
        requireOpen();
        return null;
    }

    @Override
    public boolean getAutoCommit() throws SQLException {
        requireOpen();
        return settings.autoCommit;
    }

    @Override
    public void setReadOnly(boolean readOnly) throws SQLException {
        if (isReadOnly() != readOnly) {
            requireNoTransaction("read-only mode");
        }
        settings.readOnly = readOnly;
        connections.replaySettings();
    }

    @Override
    public boolean isReadOnly() throws SQLException {
        requireOpen();
        return settings.isReadOnly();
    }

    @Override
    public void setTransactionIsolation(int level) throws SQLException {
        if (getTransactionIsolation() != level) {
            requireNoTransaction("isolation level");
        }
        settings.setIsolation(level);
        connections.replaySettings();
    }

    /** Returns what was set, else PostgreSQL's default: asking a database would bind the connection to it. */
    @Override
    public int getTransactionIsolation() throws SQLException {
        requireOpen();
        return settings.isolation == null ? Connection.TRANSACTION_READ_COMMITTED : settings.isolation;
    }

    @Override
    public void setHoldability(int holdability) throws SQLException {
        requireOpen();
        StatementCreation.requireHoldability(holdability);
        if (holdability != ResultSet.CLOSE_CURSORS_AT_COMMIT) {
            throw new SQLFeatureNotSupportedException(
                    "A routed connection closes its results at the commit. Pass the holdability to prepareStatement.");
        }
    }

    @Override
    public int getHoldability() throws SQLException {
        requireOpen();
        return ResultSet.CLOSE_CURSORS_AT_COMMIT;
    }

    @Override
    public void setNetworkTimeout(Executor executor, int milliseconds) throws SQLException {
        requireOpen();
        ConnectionSettings.requireTimeout(milliseconds, "ms");
        throw new SQLFeatureNotSupportedException(
                "A network timeout is not routed. Set it in the URLs of the databases, as socketTimeout.");
    }

    @Override
    public int getNetworkTimeout() throws SQLException {
        requireOpen();
        return 0;
    }

    /** Refused: it would be two round trips for each database. */
    @Override
    public void setClientInfo(@Nullable String name, @Nullable String value) throws SQLClientInfoException {
        setClientInfo(null);
    }

    @Override
    public void setClientInfo(@Nullable Properties properties) throws SQLClientInfoException {
        throw new SQLClientInfoException(
                "Client info is not routed. Set it in the URLs of the databases, such as ApplicationName.",
                "0A000",
                Map.of());
    }

    @Override
    public @Nullable String getClientInfo(@Nullable String name) throws SQLException {
        requireOpen();
        return null;
    }

    @Override
    public Properties getClientInfo() throws SQLException {
        requireOpen();
        return new Properties();
    }

    @Override
    public void setTypeMap(@Nullable Map<String, Class<?>> map) throws SQLException {
        requireOpen();
        if (map != null && !map.isEmpty()) {
            throw new SQLFeatureNotSupportedException("Type maps are not supported: the driver does not use them.");
        }
    }

    @Override
    public Map<String, Class<?>> getTypeMap() throws SQLException {
        requireOpen();
        return new HashMap<>();
    }

    /**
     * The schema follows the shard: only the one that is current anyway is accepted. A session of Hibernate
     * says the shard of its tenant in this way, and restores what it has found before it releases the
     * connection.
     */
    @Override
    public void setSchema(@Nullable String schema) throws SQLException {
        requireOpen();
        if (!settings.setTenant(schema) && schema != null && !schema.equals(getSchema())) {
            throw new SQLFeatureNotSupportedException("The schema of a routed connection is that of the current shard, "
                    + getSchema() + ", and not " + schema + ": run the work in ShardContext.run(shard, ...).");
        }
    }

    @Override
    public @Nullable String getSchema() throws SQLException {
        requireOpen();
        Target.Single target = settings.describedTarget();
        return target == null ? null : shared.databases().schemaOf(target);
    }

    /** Returns a text as the driver would send it to the current shard. */
    @Override
    public String nativeSQL(String sql) throws SQLException {
        String schema = getSchema();
        return router.nativeSql(schema == null ? sql : shared.analyses().of(sql).inSchema(schema));
    }

    /** Returns none: a warning of a database ends with the physical connection, which goes back at the commit. */
    @Override
    public @Nullable SQLWarning getWarnings() throws SQLException {
        requireOpen();
        return null;
    }

    @Override
    public void clearWarnings() throws SQLException {
        requireOpen();
    }
}
