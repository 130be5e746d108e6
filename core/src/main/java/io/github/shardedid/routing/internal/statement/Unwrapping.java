package io.github.shardedid.routing.internal.statement;

import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import org.jspecify.annotations.Nullable;

/**
 * Refuses to unwrap statements, results and metadata: the driver's objects would lead to the physical
 * connection, past all rules.
 */
public final class Unwrapping {
    private Unwrapping() {}

    /** Returns whether a proxy itself is of a type. */
    public static boolean isPossible(Object proxy, @Nullable Object wanted) {
        return wanted instanceof Class<?> type && type.isInstance(proxy);
    }

    /**
     * Returns the proxy itself, if it is of a type.
     *
     * @throws SQLException if not
     */
    public static Object of(Object proxy, @Nullable Object wanted) throws SQLException {
        if (!isPossible(proxy, wanted)) {
            throw new SQLFeatureNotSupportedException("Nothing here can be unwrapped to " + wanted
                    + ": what is the driver's own would go past the rules that keep a transaction to its shard. Take"
                    + " connection.unwrap(PGConnection.class), which says that it writes to the current shard.");
        }
        return proxy;
    }
}
