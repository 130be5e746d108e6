package io.github.shardedid.routing.internal.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The changes that were made on a physical connection to suit the routed one, and how it was before. For one
 * thread at a time.
 *
 * <p>The pool gives the connection to other callers afterwards, perhaps without routing. So everything is
 * restored that was changed, and nothing else: a pool may have set its own defaults, and resetting what never
 * differed would be round trips.
 */
final class ReplayedSettings {
    private final Connection connection;
    /**
     * The mode in which the pool gave the connection; null if it was not changed. Each transaction changes it,
     * so it is not among the others.
     */
    private @Nullable Boolean autoCommit;

    /** The ways back, of the first change of each kind. */
    private Map<Kind, Undo> undos = Map.of();

    /**
     * The settings, in the order in which they are restored, outside a transaction: PostgreSQL's driver refuses
     * to change the first two within one.
     */
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
     * Changes the settings that differ. Called again when a setting changes.
     *
     * @param inTransaction whether the connection's statements belong to a transaction; else it is in
     *     autocommit
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

    /** Restores everything, outside a transaction. */
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
