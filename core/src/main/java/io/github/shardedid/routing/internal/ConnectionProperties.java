package io.github.shardedid.routing.internal;

import io.github.shardedid.routing.RoutedConnection;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.PhysicalConnections;
import io.github.shardedid.routing.internal.connection.Transaction;
import io.github.shardedid.routing.internal.replica.ReplicaReads;
import io.github.shardedid.routing.internal.sql.SchemaPlaceholder;
import io.github.shardedid.routing.internal.statement.SharedRouting;
import io.github.shardedid.routing.internal.statement.StatementCreation;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLWarning;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Parser;

/** The settings of a routed connection: recorded, and replayed onto physical connections if and when there are any. */
abstract class ConnectionProperties implements RoutedConnection {
    private static final String IN_TRANSACTION = "25001";
    private static final String NO_CONNECTION = "08003";
    static final String INVALID_PARAMETER = "22023";

    final SharedRouting shared;
    final ConnectionSettings settings;
    final PhysicalConnections physical;
    final Transaction transaction;
    volatile boolean closed;

    ConnectionProperties(SharedRouting shared, ConnectionSettings settings, ReplicaReads replicas) {
        this.shared = shared;
        this.settings = settings;
        this.physical = new PhysicalConnections(shared.pools(), shared.sessions(), settings);
        this.transaction = new Transaction(physical, settings, replicas::clear);
    }

    void requireOpen() throws SQLException {
        if (closed) {
            throw new SQLException("The connection is closed.", NO_CONNECTION);
        }
    }

    private void requireNoTransaction(String setting) throws SQLException {
        boolean started = physical.all().length > 0 || transaction.reads().areAny();
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
        physical.replaySettings();
    }

    @Override
    public boolean isReadOnly() throws SQLException {
        requireOpen();
        return settings.isReadOnly();
    }

    @Override
    public void setTransactionIsolation(int level) throws SQLException {
        requireOpen();
        if (getTransactionIsolation() != level) {
            requireNoTransaction("isolation level");
        }
        if (!ConnectionSettings.isLevel(level)) {
            throw new SQLException("Not an isolation level: " + level + ".", "0A000");
        }
        settings.isolation = level;
        physical.replaySettings();
    }

    /** What was set, else PostgreSQL's default: asking a database would bind the connection to it. */
    @Override
    public int getTransactionIsolation() throws SQLException {
        requireOpen();
        return settings.isolation == null ? Connection.TRANSACTION_READ_COMMITTED : settings.isolation;
    }

    @Override
    public void setHoldability(int holdability) throws SQLException {
        requireOpen();
        if (!StatementCreation.isHoldability(holdability)) {
            throw new SQLException("Not a holdability of results: " + holdability + ".", INVALID_PARAMETER);
        }
        settings.holdability = holdability;
        physical.replaySettings();
    }

    @Override
    public int getHoldability() throws SQLException {
        requireOpen();
        return settings.holdability == null ? ResultSet.CLOSE_CURSORS_AT_COMMIT : settings.holdability;
    }

    @Override
    public void setNetworkTimeout(Executor executor, int milliseconds) throws SQLException {
        requireOpen();
        if (milliseconds < 0) {
            throw new SQLException("A network timeout is not negative: " + milliseconds + " ms.", INVALID_PARAMETER);
        }
        settings.networkTimeout = new ConnectionSettings.Timeout(executor, milliseconds);
        physical.replaySettings();
    }

    @Override
    public int getNetworkTimeout() throws SQLException {
        requireOpen();
        return settings.networkTimeout == null ? 0 : settings.networkTimeout.milliseconds();
    }

    @Override
    public void setClientInfo(@Nullable String name, @Nullable String value) throws SQLClientInfoException {
        Properties changed = ConnectionSettings.copy(settings.clientInfo);
        changed.setProperty(Objects.toString(name), Objects.toString(value, ""));
        setClientInfo(changed);
    }

    /** An unknown property is reported by the driver when the first statement is sent. */
    @Override
    public void setClientInfo(@Nullable Properties properties) throws SQLClientInfoException {
        if (closed) {
            throw new SQLClientInfoException("The connection is closed.", NO_CONNECTION, Map.of());
        }
        settings.clientInfo = ConnectionSettings.copy(properties);
    }

    @Override
    public @Nullable String getClientInfo(@Nullable String name) throws SQLException {
        requireOpen();
        return name == null ? null : getClientInfo().getProperty(name);
    }

    @Override
    public Properties getClientInfo() throws SQLException {
        requireOpen();
        return ConnectionSettings.copy(settings.clientInfo);
    }

    @Override
    public void setTypeMap(@Nullable Map<String, Class<?>> map) throws SQLException {
        requireOpen();
        settings.typeMap = map == null ? Map.of() : new HashMap<>(map);
        physical.replaySettings();
    }

    @Override
    public Map<String, Class<?>> getTypeMap() throws SQLException {
        requireOpen();
        return settings.typeMap == null ? new HashMap<>() : new HashMap<>(settings.typeMap);
    }

    /**
     * The schema follows the shard: only the one that is current anyway is accepted. A session of Hibernate says the shard of its tenant in
     * this way, and restores what it has found before it releases the connection.
     */
    @Override
    public void setSchema(@Nullable String schema) throws SQLException {
        requireOpen();
        String tenant = schema != null && schema.startsWith(SchemaPlaceholder.OF_TENANT)
                ? schema.substring(SchemaPlaceholder.OF_TENANT.length())
                : null;
        if (tenant != null || settings.ofSession) {
            settings.ofSession = tenant != null;
            settings.tenant = tenant == null || tenant.isEmpty() ? null : Target.shard(Integer.parseInt(tenant));
        } else if (schema != null && !schema.equals(getSchema())) {
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

    /** As the driver would send it to the current shard. */
    @Override
    public String nativeSQL(String sql) throws SQLException {
        String schema = getSchema();
        String named = schema == null ? sql : shared.analyses().of(sql).inSchema(schema);
        String unescaped = Parser.replaceProcessing(named, true, true);
        return Parser.parseJdbcSql(unescaped, true, true, true, false, true).stream()
                .map(query -> query.nativeSql)
                .collect(Collectors.joining(";"));
    }

    @Override
    public @Nullable SQLWarning getWarnings() throws SQLException {
        requireOpen();
        for (PhysicalConnection each : physical.all()) {
            SQLWarning warning = each.connection().getWarnings();
            if (warning != null) {
                return warning;
            }
        }
        return null;
    }

    @Override
    public void clearWarnings() throws SQLException {
        requireOpen();
        for (PhysicalConnection each : physical.all()) {
            each.connection().clearWarnings();
        }
    }
}
