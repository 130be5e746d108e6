package io.github.shardedid.routing;

import java.sql.SQLRecoverableException;

/**
 * The connection to the database of a shard broke during a statement, or at the commit: the server stopped, or the network
 * failed. SQLState 08006, or {@value #OUTCOME_UNKNOWN} at the commit. A {@link java.sql.SQLException}, so that Hibernate and
 * Spring translate it as they do for any database. Shards on other databases are not concerned. Run the transaction again;
 * after the commit, look for its rows first.
 */
public class ConnectionLostException extends SQLRecoverableException {
    /** The SQLState of a connection that broke at the commit, so that it is not known whether the transaction took effect. */
    public static final String OUTCOME_UNKNOWN = "08007";

    private static final String CONNECTION_FAILURE = "08006";

    /**
     * Creates the exception for a statement.
     *
     * @param message the database, the shard, and what became of the statement; never a password
     * @param cause what the driver said
     */
    public ConnectionLostException(String message, Throwable cause) {
        this(message, CONNECTION_FAILURE, cause);
    }

    /**
     * Creates the exception.
     *
     * @param message the database, and what became of the statement or the transaction; never a password
     * @param state the SQLState, of class 08
     * @param cause what the driver said
     */
    public ConnectionLostException(String message, String state, Throwable cause) {
        super(message, state, cause);
    }
}
