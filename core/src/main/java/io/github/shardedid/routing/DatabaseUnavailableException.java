package io.github.shardedid.routing;

import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/**
 * Could not connect to the database of a shard; SQLState 08001. A {@link java.sql.SQLException}, so that
 * Hibernate and Spring translate it as they do for any database. Shards on other databases are not concerned. Nothing
 * was sent: a retry succeeds once the database accepts connections.
 */
public class DatabaseUnavailableException extends SQLTransientConnectionException {
    private static final String CONNECTION_NOT_MADE = "08001";

    /**
     * Creates the exception.
     *
     * @param message the database, the shard, and what it means for others; never a password
     * @param cause what the pool or the driver said, or null
     */
    public DatabaseUnavailableException(String message, @Nullable Throwable cause) {
        super(message, CONNECTION_NOT_MADE, cause);
    }
}
