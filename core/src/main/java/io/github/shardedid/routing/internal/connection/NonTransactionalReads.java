package io.github.shardedid.routing.internal.connection;

import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The failures of a transaction's non-transactional reads: plain queries that ran outside of it. For one thread
 * at a time.
 *
 * <p>PostgreSQL refuses everything after a failed statement until the transaction, or a savepoint, is rolled
 * back. A query in autocommit leaves nothing behind on the server. So that deferring BEGIN changes no outcome,
 * this class refuses what the server would have refused: an application that catches the exception and commits
 * must not commit half of its work.
 */
public final class NonTransactionalReads {
    private static final String IN_FAILED_TRANSACTION = "25P02";

    /** The databases on which a query has failed. Empty for most transactions, which create no set. */
    private Set<String> failed = Set.of();
    /**
     * True if something was prepared in the transaction. From then on, its read-only mode and its isolation
     * cannot be changed.
     */
    public boolean any;

    /** Notes that a query has failed on a database. */
    public void failedOn(String database) {
        if (failed.isEmpty()) {
            failed = new LinkedHashSet<>();
        }
        failed.add(database);
    }

    /**
     * Refuses a statement on a database where a query has failed, as the server would.
     *
     * @throws SQLException with the SQLState of PostgreSQL, 25P02
     */
    public void requireNoFailureOn(String database) throws SQLException {
        if (failed.contains(database)) {
            throw new SQLException(
                    "Nothing was sent to database " + database + ", where a statement of this transaction has failed:"
                            + " until it is rolled back, or a savepoint from before, no other is accepted.",
                    IN_FAILED_TRANSACTION);
        }
    }

    /** Refuses to set or release a savepoint after a failure. */
    void requireNoFailure() throws SQLException {
        if (!failed.isEmpty()) {
            requireNoFailureOn(failed.iterator().next());
        }
    }

    /**
     * Returns what to throw for the commit of a transaction in which a statement has failed. PostgreSQL itself
     * answers with a rollback, without an error.
     */
    static SQLException failure(String database) {
        return new SQLException(
                "A statement of this transaction has failed on database " + database
                        + ", so that it cannot be committed. Everything was rolled back, on all databases.",
                IN_FAILED_TRANSACTION);
    }

    /**
     * Returns what to throw where a further database is used after a failure on one that has to say what the
     * transaction has set.
     */
    static SQLException failedBefore(String database) {
        return new SQLException(
                "Nothing was sent to a further database: what this transaction has set on database " + database
                        + " must hold there, too, but cannot be asked for, since a statement has failed: until it is rolled back,"
                        + " or a savepoint from before, no other is accepted.",
                IN_FAILED_TRANSACTION);
    }

    public boolean haveFailed() {
        return !failed.isEmpty();
    }

    /** Refuses the commit if a query has failed. */
    void requireCommittable() throws SQLException {
        if (!failed.isEmpty()) {
            throw failure(failed.iterator().next());
        }
    }

    /**
     * Notes that a savepoint was rolled back. It was set while nothing had failed, since {@link
     * #requireNoFailure} has refused others.
     */
    void forgetFailures() {
        failed = Set.of();
    }

    /** Notes that the transaction has ended. */
    void clear() {
        failed = Set.of();
        any = false;
    }
}
