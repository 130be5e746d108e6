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

    private final boolean statementOnly;

    /**
     * Creates the exception.
     *
     * @param message the shard, the databases, and what to do
     * @param statementOnly whether the transaction goes on, and only the statement has to be prepared again
     * @param cause what the database said; null if it was not asked
     */
    public ShardMovedException(String message, boolean statementOnly, @Nullable Throwable cause) {
        super(message, ROLLED_BACK, cause);
        this.statementOnly = statementOnly;
    }

    /**
     * Whether the transaction goes on, and only the statement has to be prepared and executed again.
     *
     * @return false unless the connection is configured not to follow shards
     */
    public boolean isStatementOnly() {
        return statementOnly;
    }
}
