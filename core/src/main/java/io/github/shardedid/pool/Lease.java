package io.github.shardedid.pool;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A connection in use. Safe for use by several threads. */
public final class Lease implements AutoCloseable {
    private final Connection connection;
    private final @Nullable Runnable giveBack;
    private final AtomicBoolean ended = new AtomicBoolean();

    Lease(Connection connection, @Nullable Runnable giveBack) {
        this.connection = connection;
        this.giveBack = giveBack;
    }

    /**
     * Takes a connection.
     *
     * @param source any data source; a {@link PartitionedDataSource} is asked for the shard's
     * @param shard for which it is wanted; empty for none in particular
     * @return to be closed
     * @throws SQLException if the data source has none
     */
    public static Lease from(DataSource source, OptionalInt shard) throws SQLException {
        if (source instanceof PartitionedDataSource parts) {
            return shard.isPresent() ? parts.lease(shard.getAsInt()) : parts.lease();
        }
        return new Lease(source.getConnection(), null);
    }

    /**
     * Returns the connection.
     *
     * @return not to be closed by itself
     */
    public Connection connection() {
        return connection;
    }

    /** Closes the connection, and lets others have one instead, even if it fails. A second call does nothing. */
    @Override
    public void close() throws SQLException {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        try {
            connection.close();
        } finally {
            if (giveBack != null) {
                giveBack.run();
            }
        }
    }
}
