package io.github.shardedid.routing;

import java.sql.SQLTransactionRollbackException;
import org.jspecify.annotations.Nullable;

/**
 * The shard of a statement has moved to another database, or is on its way, and the transaction had done something on the old
 * one already, or the statement could not be repeated. Nothing of the transaction stays; run it again, as a whole. A
 * {@link java.sql.SQLTransientException} with SQLState 40001, so that Hibernate and Spring translate it to exceptions that say
 * the same: {@code LockAcquisitionException}, {@code ConcurrencyFailureException}.
 */
public class ShardMovedException extends SQLTransactionRollbackException {
    private static final String ROLLED_BACK = "40001";

    private final int shard;
    private final boolean statementOnly;
    private final String from;
    private final @Nullable String to;

    /**
     * Creates the exception.
     *
     * @param message the shard, the databases, and what to do
     * @param shard the shard
     * @param from the name of the database to which the statement was sent
     * @param to the name of the shard's new database; null if that is not known yet
     * @param statementOnly whether the transaction goes on, and only the statement has to be prepared again
     * @param cause what that database said; null if it was not asked
     */
    public ShardMovedException(
            String message,
            int shard,
            String from,
            @Nullable String to,
            boolean statementOnly,
            @Nullable Throwable cause) {
        super(message, ROLLED_BACK, cause);
        this.statementOnly = statementOnly;
        this.shard = shard;
        this.from = from;
        this.to = to;
    }

    /**
     * The shard that has moved.
     *
     * @return its number
     */
    public int shard() {
        return shard;
    }

    /**
     * Whether the transaction goes on, and only the statement has to be prepared and executed again.
     *
     * @return false unless the connection is configured not to follow shards
     */
    public boolean isStatementOnly() {
        return statementOnly;
    }

    /**
     * Where the statement was sent.
     *
     * @return the name of the database
     */
    public String from() {
        return from;
    }

    /**
     * Where the shard lives now.
     *
     * @return the name of the database; null if that is not known yet
     */
    public @Nullable String to() {
        return to;
    }
}
