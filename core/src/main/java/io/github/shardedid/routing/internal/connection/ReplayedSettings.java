package io.github.shardedid.routing.internal.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** What was changed on a physical connection to suit the routed one, and how it was before. */
final class ReplayedSettings {
    private final Connection connection;
    private @Nullable Boolean autoCommit;
    private @Nullable Boolean readOnly;
    private @Nullable Integer isolation;
    private @Nullable Integer holdability;
    private ConnectionSettings.@Nullable Timeout timeout;
    private @Nullable Properties clientInfo;
    private @Nullable Map<String, Class<?>> typeMap;

    ReplayedSettings(Connection connection) {
        this.connection = connection;
    }

    /**
     * Changes what differs; to be called again when a setting changes.
     *
     * @param inTransaction whether the connection's statements belong to a transaction; else it is in autocommit
     */
    void replay(ConnectionSettings wanted, boolean inTransaction) throws SQLException {
        replayReadOnly(wanted.readOnly);
        replayAutoCommit(!inTransaction);
        if (!inTransaction) {
            replayIsolation(wanted.isolation);
        }
        replayRare(wanted);
    }

    private void replayAutoCommit(boolean wanted) throws SQLException {
        boolean now = connection.getAutoCommit();
        if (now != wanted) {
            autoCommit = autoCommit == null ? now : autoCommit;
            connection.setAutoCommit(wanted);
        }
    }

    private void replayReadOnly(@Nullable Boolean wanted) throws SQLException {
        if (wanted != null && connection.isReadOnly() != wanted) {
            readOnly = readOnly == null ? !wanted : readOnly;
            connection.setReadOnly(wanted);
        }
    }

    /** In autocommit the session's level counts; a transaction gets its own at its begin. */
    private void replayIsolation(@Nullable Integer wanted) throws SQLException {
        if (wanted != null) {
            int now = connection.getTransactionIsolation();
            if (now != wanted) {
                isolation = isolation == null ? now : isolation;
                connection.setTransactionIsolation(wanted);
            }
        }
    }

    private void replayRare(ConnectionSettings wanted) throws SQLException {
        if (wanted.holdability != null && connection.getHoldability() != wanted.holdability) {
            holdability = holdability == null ? connection.getHoldability() : holdability;
            connection.setHoldability(wanted.holdability);
        }
        if (wanted.networkTimeout != null && connection.getNetworkTimeout() != wanted.networkTimeout.milliseconds()) {
            timeout = timeout == null
                    ? new ConnectionSettings.Timeout(wanted.networkTimeout.executor(), connection.getNetworkTimeout())
                    : timeout;
            connection.setNetworkTimeout(wanted.networkTimeout.executor(), wanted.networkTimeout.milliseconds());
        }
        if (wanted.clientInfo != null && !wanted.clientInfo.equals(connection.getClientInfo())) {
            clientInfo = clientInfo == null ? copy(connection.getClientInfo()) : clientInfo;
            connection.setClientInfo(wanted.clientInfo);
        }
        if (wanted.typeMap != null) {
            typeMap = typeMap == null ? connection.getTypeMap() : typeMap;
            connection.setTypeMap(wanted.typeMap);
        }
    }

    private static Properties copy(@Nullable Properties properties) {
        Properties copy = new Properties();
        if (properties != null) {
            copy.putAll(properties);
        }
        return copy;
    }

    /** Puts everything back, outside a transaction. */
    void restore() throws SQLException {
        if (autoCommit != null) {
            connection.setAutoCommit(autoCommit);
        }
        if (readOnly != null) {
            connection.setReadOnly(readOnly);
        }
        if (isolation != null) {
            connection.setTransactionIsolation(isolation);
        }
        if (holdability != null) {
            connection.setHoldability(holdability);
        }
        if (timeout != null) {
            connection.setNetworkTimeout(timeout.executor(), timeout.milliseconds());
        }
        if (clientInfo != null) {
            connection.setClientInfo(clientInfo);
        }
        if (typeMap != null) {
            connection.setTypeMap(typeMap);
        }
    }
}
