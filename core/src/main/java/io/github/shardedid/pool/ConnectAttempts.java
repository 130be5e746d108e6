package io.github.shardedid.pool;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Attempts to take a connection from a part of a pool. A part that fails has waited for the database as long as a caller may: those
 * that have waited meanwhile for a connection in use do not wait as long again. Safe for use by several threads.
 */
final class ConnectAttempts {
    private final String pool;
    /** Of the latest attempt; null if it succeeded. */
    private volatile @Nullable Failure failure;

    ConnectAttempts(String pool) {
        this.pool = pool;
    }

    private record Failure(long nanos, Exception cause) {}

    Connection connect(DataSource part) throws SQLException {
        try {
            Connection connection = part.getConnection();
            if (failure != null) {
                failure = null;
            }
            return connection;
        } catch (SQLException | RuntimeException e) {
            failure = new Failure(System.nanoTime(), e);
            throw e;
        }
    }

    /** Fails if the latest attempt has failed since an instant of {@code nanoTime}. */
    void requireNoFailureSince(long start) throws SQLException {
        Failure latest = failure;
        if (latest != null && latest.nanos() - start > 0) {
            throw new SQLTransientConnectionException(
                    pool + " - Connection is not available, as another caller failed to connect meanwhile: "
                            + latest.cause().getMessage(),
                    latest.cause());
        }
    }
}
