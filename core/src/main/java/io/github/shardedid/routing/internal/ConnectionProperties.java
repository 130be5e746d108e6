package io.github.shardedid.routing.internal;

import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.connection.NonTransactionalReads;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.PhysicalConnections;
import io.github.shardedid.routing.internal.target.Databases;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLWarning;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The settings of a routed connection: recorded, and replayed onto physical connections if and when there are any. */
final class ConnectionProperties {
    private static final String IN_TRANSACTION = "25001";

    private final Databases databases;
    private final ConnectionSettings settings;
    private final PhysicalConnections physical;
    private final NonTransactionalReads reads;

    ConnectionProperties(
            Databases databases,
            ConnectionSettings settings,
            PhysicalConnections physical,
            NonTransactionalReads reads) {
        this.databases = databases;
        this.settings = settings;
        this.physical = physical;
        this.reads = reads;
    }

    /** Whether a statement of the current transaction has been prepared. */
    private boolean hasTransactionStarted() {
        return !settings.autoCommit && (!physical.areNone() || reads.areAny());
    }

    private void requireNoTransaction(String setting) throws SQLException {
        if (hasTransactionStarted()) {
            throw new SQLException("The " + setting + " cannot be changed within a transaction.", IN_TRANSACTION);
        }
    }

    boolean isAutoCommit() {
        return settings.autoCommit;
    }

    void setReadOnly(boolean readOnly) throws SQLException {
        if (isReadOnly() != readOnly) {
            requireNoTransaction("read-only mode");
        }
        settings.readOnly = readOnly;
        physical.replaySettings();
    }

    boolean isReadOnly() {
        return settings.isReadOnly();
    }

    void setIsolation(int level) throws SQLException {
        if (!ConnectionSettings.isLevel(level)) {
            throw new SQLException("Not an isolation level: " + level + ".", "0A000");
        }
        if (isolation() != level) {
            requireNoTransaction("isolation level");
        }
        settings.isolation = level;
        physical.replaySettings();
    }

    /** What was set, else PostgreSQL's default: asking a database would bind the connection to it. */
    int isolation() {
        return settings.isolation == null ? Connection.TRANSACTION_READ_COMMITTED : settings.isolation;
    }

    void setHoldability(int holdability) throws SQLException {
        settings.holdability = holdability;
        physical.replaySettings();
    }

    int holdability() {
        return settings.holdability == null ? ResultSet.CLOSE_CURSORS_AT_COMMIT : settings.holdability;
    }

    void setNetworkTimeout(Executor executor, int milliseconds) throws SQLException {
        if (milliseconds < 0) {
            throw new SQLException("A network timeout is not negative: " + milliseconds + " ms.", "22023");
        }
        settings.networkTimeout = new ConnectionSettings.Timeout(executor, milliseconds);
        physical.replaySettings();
    }

    int networkTimeout() {
        return settings.networkTimeout == null ? 0 : settings.networkTimeout.milliseconds();
    }

    void setClientInfo(@Nullable String name, @Nullable String value) {
        Properties changed = clientInfo();
        changed.setProperty(Objects.toString(name), Objects.toString(value, ""));
        setClientInfo(changed);
    }

    /** An unknown property is reported by the driver when the first statement is sent. */
    void setClientInfo(@Nullable Properties properties) {
        Properties changed = new Properties();
        if (properties != null) {
            changed.putAll(properties);
        }
        settings.clientInfo = changed;
    }

    @Nullable
    String clientInfo(@Nullable String name) {
        return name == null ? null : clientInfo().getProperty(name);
    }

    Properties clientInfo() {
        Properties copy = new Properties();
        if (settings.clientInfo != null) {
            copy.putAll(settings.clientInfo);
        }
        return copy;
    }

    void setTypeMap(@Nullable Map<String, Class<?>> map) throws SQLException {
        settings.typeMap = map == null ? Map.of() : Map.copyOf(map);
        physical.replaySettings();
    }

    Map<String, Class<?>> typeMap() {
        return settings.typeMap == null ? Map.of() : settings.typeMap;
    }

    /** The schema follows the shard: only the one that is current anyway is accepted. */
    void setSchema(@Nullable String schema) throws SQLException {
        if (schema != null && !schema.equals(schema())) {
            throw new SQLFeatureNotSupportedException("The schema of a routed connection is that of the current shard, "
                    + schema() + ", and not " + schema + ": run the work in ShardContext.run(shard, ...).");
        }
    }

    @Nullable
    String schema() {
        Target.Single target = settings.currentTarget();
        return target == null ? null : databases.schemaOf(target);
    }

    @Nullable
    SQLWarning warnings() throws SQLException {
        for (PhysicalConnection each : physical.all()) {
            SQLWarning warning = each.connection().getWarnings();
            if (warning != null) {
                return warning;
            }
        }
        return null;
    }

    void clearWarnings() throws SQLException {
        for (PhysicalConnection each : physical.all()) {
            each.connection().clearWarnings();
        }
    }
}
