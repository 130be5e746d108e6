package io.github.shardedid.routing.internal.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What was changed on a physical connection to suit the routed one, and how it was before. */
final class ReplayedSettings {
    private final Connection connection;
    /** Each transaction changes it; so it is not among the others. */
    private @Nullable Boolean autoCommit;

    private Map<Kind, Undo> undos = Map.of();

    /** In the order in which they are restored: outside a transaction. */
    private enum Kind {
        READ_ONLY,
        ISOLATION,
        HOLDABILITY,
        NETWORK_TIMEOUT
    }

    private interface Undo {
        void run() throws SQLException;
    }

    private interface Setter<T> {
        void set(T value) throws SQLException;
    }

    ReplayedSettings(Connection connection) {
        this.connection = connection;
    }

    /**
     * Changes what differs; to be called again when a setting changes.
     *
     * @param inTransaction whether the connection's statements belong to a transaction; else it is in autocommit
     */
    void replay(ConnectionSettings wanted, boolean inTransaction) throws SQLException {
        if (wanted.readOnly != null) {
            change(Kind.READ_ONLY, connection.isReadOnly(), wanted.readOnly, connection::setReadOnly);
        }
        replayAutoCommit(connection.getAutoCommit(), !inTransaction);
        // In autocommit the session's level counts; a transaction gets its own at its begin.
        if (!inTransaction && wanted.isolation != null) {
            int now = connection.getTransactionIsolation();
            change(Kind.ISOLATION, now, wanted.isolation, connection::setTransactionIsolation);
        }
        if (wanted.holdability != null) {
            change(Kind.HOLDABILITY, connection.getHoldability(), wanted.holdability, connection::setHoldability);
        }
        ConnectionSettings.Timeout timeout = wanted.networkTimeout;
        if (timeout != null) {
            Setter<Integer> setter = milliseconds -> connection.setNetworkTimeout(timeout.executor(), milliseconds);
            change(Kind.NETWORK_TIMEOUT, connection.getNetworkTimeout(), timeout.milliseconds(), setter);
        }
    }

    private void replayAutoCommit(boolean now, boolean wanted) throws SQLException {
        if (now != wanted) {
            if (autoCommit == null) {
                autoCommit = now;
            }
            connection.setAutoCommit(wanted);
        }
    }

    private <T> void change(Kind kind, @Nullable T now, T wanted, Setter<T> setter) throws SQLException {
        if (!Objects.equals(now, wanted)) {
            if (now != null) {
                if (undos.isEmpty()) {
                    undos = new EnumMap<>(Kind.class);
                }
                undos.putIfAbsent(kind, () -> setter.set(now));
            }
            setter.set(wanted);
        }
    }

    /** Puts everything back, outside a transaction. */
    void restore() throws SQLException {
        if (autoCommit != null) {
            connection.setAutoCommit(autoCommit);
        }
        if (!undos.isEmpty()) {
            for (Undo undo : undos.values()) {
                undo.run();
            }
        }
    }
}
