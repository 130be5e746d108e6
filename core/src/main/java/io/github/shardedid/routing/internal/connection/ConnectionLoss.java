package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.ConnectionLostException;
import io.github.shardedid.routing.Target;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/** Tells connections that broke from other failures, and says whose they were. */
public final class ConnectionLoss {
    private ConnectionLoss() {}

    /** Returns the failure itself, unless the connection broke; the target is null for what is no statement of the application's. */
    public static SQLException explain(SQLException failure, String database, Target.@Nullable Single target) {
        if (!isLoss(failure) || failure instanceof ConnectionLostException) {
            return failure;
        }
        return new ConnectionLostException(
                "The connection to database " + database + " broke"
                        + (target == null ? "" : " during a statement for " + target) + ": " + failure.getMessage()
                        + ". Within a transaction nothing of it stays; in autocommit the statement may have taken effect."
                        + " Shards on other databases are not concerned.",
                failure);
    }

    /** Whether the server has refused a statement or is gone; else the driver has refused to send it. */
    public static boolean isFromServer(SQLException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof PSQLException driver && driver.getServerErrorMessage() != null) {
                return true;
            }
        }
        return isLoss(failure);
    }

    /** The failure itself, unless the connection broke. Whether a commit has arrived is unknown then. */
    public static SQLException explainCommit(SQLException failure, String database) {
        if (!isLoss(failure)) {
            return failure;
        }
        return new ConnectionLostException(
                "The connection to database " + database + " broke at the commit: " + failure.getMessage()
                        + ". What the transaction wrote there may have taken effect or not: look before it is repeated."
                        + " Shards on other databases are not concerned.",
                ConnectionLostException.OUTCOME_UNKNOWN,
                failure);
    }

    /** Class 08 is a connection that failed; 57P a server that shuts down, crashed or starts, or ended the session. */
    public static boolean isLoss(SQLException failure) {
        String state = failure.getSQLState();
        return state != null && (state.startsWith("08") || state.startsWith("57P"));
    }
}
