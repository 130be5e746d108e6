package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.Target;
import java.sql.SQLTransientConnectionException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says why no connection to a database could be had, and what to do about it. */
public final class NoConnection {
    private NoConnection() {}

    /**
     * The exception to throw.
     *
     * @param target for which it was wanted, or null for none in particular
     * @param held what the routed connection held while it waited
     */
    public static DatabaseUnavailableException to(
            String database, Target.@Nullable Single target, Exception cause, PhysicalConnection[] held) {
        String wanted = "database " + database + (target == null ? "" : ", home of " + target + ",");
        String message = isExhaustion(cause)
                ? "All connections to " + wanted + " were in use until the pool gave up (" + cause.getMessage()
                        + "); nothing was sent. " + advice(held)
                : "No connection to " + wanted + " could be had; nothing was sent. Is it up, and is its"
                        + " pool large enough? Shards on other databases are not concerned.";
        return new DatabaseUnavailableException(message, cause);
    }

    /** A pool that tried to connect, and failed, gives a cause. */
    static boolean isExhaustion(Exception cause) {
        return cause instanceof SQLTransientConnectionException && cause.getCause() == null;
    }

    private static String advice(PhysicalConnection[] held) {
        if (held.length == 0) {
            return "Make the pool larger, or transactions shorter.";
        }
        List<String> names =
                Arrays.stream(held).map(PhysicalConnection::database).toList();
        return "This transaction held " + (names.size() == 1 ? "a connection" : "connections") + " to "
                + String.join(" and ", names) + " meanwhile, so that transactions may have waited for each other: read"
                + " before the first write or lock, give each database a read pool for what transactions read beside"
                + " their writes, or make the pools larger.";
    }
}
