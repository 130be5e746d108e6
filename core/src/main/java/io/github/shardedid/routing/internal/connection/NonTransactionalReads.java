package io.github.shardedid.routing.internal.connection;

import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The failures of a transaction's non-transactional reads: plain queries that ran outside of it. PostgreSQL refuses everything after a failed
 * statement until the transaction, or a savepoint, is rolled back; so that deferring BEGIN changes no outcome, that is
 * kept up for queries whose failure the server has forgotten.
 */
public final class NonTransactionalReads {
    private static final String IN_FAILED_TRANSACTION = "25P02";

    private Set<String> failed = Set.of();
    /** Something was prepared. */
    public boolean any;

    public void failedOn(String database) {
        if (failed.isEmpty()) {
            failed = new LinkedHashSet<>();
        }
        failed.add(database);
    }

    /** Refuses a statement on a database where a query has failed. */
    public void requireNoFailureOn(String database) throws SQLException {
        if (failed.contains(database)) {
            throw new SQLException(
                    "Nothing was sent to database " + database + ", where a statement of this transaction has failed:"
                            + " until it is rolled back, or a savepoint from before, no other is accepted.",
                    IN_FAILED_TRANSACTION);
        }
    }

    /** Refuses a savepoint after a failure. */
    void requireNoFailure() throws SQLException {
        if (!failed.isEmpty()) {
            requireNoFailureOn(failed.iterator().next());
        }
    }

    /** Refuses the commit of a transaction in which a statement has failed. */
    static SQLException failure(String database) {
        return new SQLException(
                "A statement of this transaction has failed on database " + database
                        + ", so that it cannot be committed. Everything was rolled back, on all databases.",
                IN_FAILED_TRANSACTION);
    }

    /** Refuses to use a further database after a failure on one that has to say what the transaction has set. */
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

    /** To be asked at commit. */
    void requireCommittable() throws SQLException {
        if (!failed.isEmpty()) {
            throw failure(failed.iterator().next());
        }
    }

    /** A savepoint, set while nothing had failed, was rolled back. */
    void forgetFailures() {
        failed = Set.of();
    }

    /** The transaction has ended. */
    void clear() {
        failed = Set.of();
        any = false;
    }
}
