package io.github.shardedid.routing.internal.connection;

import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A transaction for one statement that is executed in autocommit: behind a pooler, the search path can be set for no longer, and
 * for no less. For one thread at a time.
 */
public final class StatementTransaction {
    private final PhysicalConnection physical;
    private boolean open;

    StatementTransaction(PhysicalConnection physical) {
        this.physical = physical;
    }

    boolean isOpen() {
        return open;
    }

    public void begin(@Nullable Statement statement) throws SQLException {
        if (!open) {
            if (statement == null) {
                throw new SQLFeatureNotSupportedException(
                        "Behind a pooler, names without a schema mean the shard within a"
                                + " transaction only: begin one.");
            }
            statement.setFetchSize(0); // its rows must outlive the transaction
            physical.connection().setAutoCommit(false);
            open = true;
        }
    }

    /** Does nothing if there is none. */
    public void end() throws SQLException {
        if (open) {
            open = false;
            if (physical.hasFailed()) {
                physical.rollback();
            } else {
                physical.commit();
            }
            physical.connection().setAutoCommit(true);
        }
    }
}
