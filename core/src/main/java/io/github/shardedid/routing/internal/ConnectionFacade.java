package io.github.shardedid.routing.internal;

import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.target.Databases;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.PhysicalConnections;
import io.github.shardedid.routing.internal.replica.ReplicaReads;
import io.github.shardedid.routing.internal.replica.Replicas;
import io.github.shardedid.routing.internal.connection.Sessions;
import io.github.shardedid.routing.RoutedConnection;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLWarning;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The settings of a routed connection: recorded, and replayed onto physical connections if and when there are any. */
abstract class ConnectionFacade implements RoutedConnection {
    private static final String IN_TRANSACTION = "25001";

    final Databases databases;
    final ConnectionSettings settings;
    final ReplicaReads replicaReads;
    final PhysicalConnections physical;

    ConnectionFacade(Databases databases, Sessions sessions, Replicas replicas, ConnectionSettings settings) {
        this.databases = databases;
        this.settings = settings;
        this.replicaReads = new ReplicaReads(replicas, settings);
        this.physical = new PhysicalConnections(databases, sessions, settings, replicaReads);
    }

    abstract void requireOpen() throws SQLException;

    /** Whether a statement of the current transaction has been prepared. */
    abstract boolean hasTransactionStarted();

    private void requireNoTransaction(String setting) throws SQLException {
        requireOpen();
        if (hasTransactionStarted()) {
            throw new SQLException("The " + setting + " cannot be changed within a transaction.", IN_TRANSACTION);
        }
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
        if (!ConnectionSettings.isLevel(level)) {
            throw new SQLException("Not an isolation level: " + level + ".", "0A000");
        }
        if (getTransactionIsolation() != level) {
            requireNoTransaction("isolation level");
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
            throw new SQLException("A network timeout is not negative: " + milliseconds + " ms.", "22023");
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
    public void setClientInfo(@Nullable String name, @Nullable String value) {
        Properties changed = getClientInfo();
        changed.setProperty(Objects.toString(name), Objects.toString(value, ""));
        setClientInfo(changed);
    }

    /** An unknown property is reported by the driver when the first statement is sent. */
    @Override
    public void setClientInfo(@Nullable Properties properties) {
        Properties changed = new Properties();
        if (properties != null) {
            changed.putAll(properties);
        }
        settings.clientInfo = changed;
    }

    @Override
    public @Nullable String getClientInfo(@Nullable String name) {
        return name == null ? null : getClientInfo().getProperty(name);
    }

    @Override
    public Properties getClientInfo() {
        Properties copy = new Properties();
        if (settings.clientInfo != null) {
            copy.putAll(settings.clientInfo);
        }
        return copy;
    }

    @Override
    public void setTypeMap(@Nullable Map<String, Class<?>> map) throws SQLException {
        requireOpen();
        settings.typeMap = map == null ? Map.of() : Map.copyOf(map);
        physical.replaySettings();
    }

    @Override
    public Map<String, Class<?>> getTypeMap() throws SQLException {
        requireOpen();
        return settings.typeMap == null ? Map.of() : settings.typeMap;
    }

    /** PostgreSQL cannot change the database of a connection; as its driver does, this ignores the wish. */
    @Override
    public void setCatalog(@Nullable String catalog) throws SQLException {
        requireOpen();
    }

    @Override
    public @Nullable String getCatalog() throws SQLException {
        requireOpen();
        return null;
    }

    /** The schema follows the shard: only the one that is current anyway is accepted. */
    @Override
    public void setSchema(@Nullable String schema) throws SQLException {
        if (schema != null && !schema.equals(getSchema())) {
            throw new SQLFeatureNotSupportedException("The schema of a routed connection is that of the current shard, "
                    + getSchema() + ", and not " + schema + ": run the work in ShardContext.run(shard, ...).");
        }
    }

    @Override
    public @Nullable String getSchema() throws SQLException {
        requireOpen();
        OptionalInt place = settings.currentPlace();
        return place.isEmpty() ? null : databases.schemaOf(place.getAsInt());
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
