package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.ConnectionLostException;
import io.github.shardedid.routing.Target;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Tells connections that broke from other failures, and says whose they were.
 *
 * <p>The driver reports a lost connection without the name of its database. An application on several databases
 * needs that name, and needs to know that the shards of the others are not concerned: a database that is down
 * takes only its own shards with it. It also needs to know whether the statement may have taken effect, as that
 * decides whether it may be repeated.
 */
public final class ConnectionLoss {
    private ConnectionLoss() {}

    /**
     * Returns the failure to throw: the same one, unless the connection broke. One that was explained before is
     * not explained again, since a failure passes several layers.
     *
     * @param failure what the driver or the pool has thrown
     * @param database the database, or its replica, for the message
     * @param target the target of the statement; null if no statement of the application was executed
     */
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

    /**
     * Returns whether the server has refused a statement, or its connection is lost; else the driver has
     * refused to send it.
     *
     * <p>PostgreSQL accepts nothing more in a transaction in which it has refused a statement, but does not
     * know of one that the driver has refused. {@link Transaction} needs the same difference for
     * queries outside of the transaction.
     */
    public static boolean isFromServer(SQLException failure) {
        return said(failure) != null || isLoss(failure);
    }

    /** Returns what the server has said; null for other failures. For a batch, it is in the cause. */
    public static @Nullable ServerErrorMessage said(SQLException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof PSQLException driver && driver.getServerErrorMessage() != null) {
                return driver.getServerErrorMessage();
            }
        }
        return null;
    }

    /**
     * Returns the failure to throw for a commit: the same one, unless the connection broke. Then the COMMIT may
     * or may not have arrived, and only the database knows. The SQLState 08007 says so.
     */
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

    /**
     * Returns whether a failure means that the connection cannot be used any more. Class 08 is a connection
     * that failed; 57P is a server that shuts down, crashed or starts, or ended the session. A cancelled
     * statement, 57014, is not among them.
     */
    public static boolean isLoss(SQLException failure) {
        String state = failure.getSQLState();
        return state != null && (state.startsWith("08") || state.startsWith("57P"));
    }
}
