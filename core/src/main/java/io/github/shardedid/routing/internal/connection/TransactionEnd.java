package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.SecondWriteShardException;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Ends a transaction on all databases that it touched. One shard may be written in a transaction, so that at
 * most one database has something to lose, and no two-phase commit is needed:
 *
 * <ol>
 *   <li>If a statement has failed on any database, everything is rolled back.
 *   <li>Ids that were reserved outside of the transaction are made durable.
 *   <li>The databases that were only read commit, each making sure in the same round trip that nothing was
 *       written there. A function can hide a write behind a SELECT.
 *   <li>The written one commits last, so that a failure before leaves nothing behind.
 *   <li>After any failure, what has not been committed is rolled back.
 * </ol>
 *
 * <p>Without a declared write, one database may have been written by a function; it then commits last. A second
 * one is an error.
 *
 * @param open the connections that are in the transaction; the others have nothing to end
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record TransactionEnd(PhysicalConnection[] open) {
    static final String IN_FAILED_TRANSACTION = "25P02";
    private static final String DIVISION_BY_ZERO = "22012";

    /** A transaction that has written nothing, and locked no row, has no transaction id. */
    private static final String WITHOUT_ID = "pg_current_xact_id_if_assigned() is null";

    /**
     * Holds if the transaction has written nothing although it has a transaction id: locked rows, and writes
     * that were rolled back to a savepoint, leave an id that proves nothing.
     *
     * <p>But a write locks what it writes to, up to the end of the transaction, in a mode in which nobody
     * reads, nor locks rows; a rollback to a savepoint lets go of these locks. Looking at all locks takes
     * longer, hence it is done only where there is an id.
     */
    private static final String WITHOUT_LOCKS =
            "not exists (select from pg_locks where pid = pg_backend_pid() and locktype in ('relation', 'object')"
                    + " and mode not in ('AccessShareLock', 'RowShareLock'))";

    /**
     * Fails by a division by zero if something was written, so that the server does not reach the COMMIT behind
     * it.
     */
    private static final String UNWRITTEN = "select 1/(case when " + WITHOUT_ID + " then 1 else 0 end); commit";

    private static final String UNWRITTEN_DESPITE_ID =
            "select 1/(case when " + WITHOUT_ID + " then 1 when " + WITHOUT_LOCKS + " then 1 else 0 end); commit";
    private static final String SAVEPOINT = "sharded_id_commit";

    /**
     * Commits everywhere or rolls back everywhere.
     *
     * @param failed the databases on which a query outside of the transaction has failed
     * @param kept the connections on which it has not begun, and over which it has reserved ids
     * @param writer the database that was written, or null if no write was declared
     * @param readOnly whether the databases themselves refuse writes
     * @throws SecondWriteShardException if a second database was written
     */
    void commit(Set<String> failed, PhysicalConnection[] kept, @Nullable String writer, boolean readOnly)
            throws SQLException {
        try {
            requireNoFailure(failed);
            for (PhysicalConnection physical : kept) {
                physical.flushReservations();
            }
            if (open.length == 1 || readOnly) {
                for (PhysicalConnection physical : open) {
                    physical.commit();
                }
            } else {
                commitReadersThen(writer);
            }
        } catch (SQLException | RuntimeException e) {
            rollbackAfter(e);
            throw e;
        }
    }

    /**
     * Fails if a statement has failed. PostgreSQL answers the COMMIT of a failed transaction with a rollback,
     * which its driver does not report.
     */
    private void requireNoFailure(Set<String> failed) throws SQLException {
        String first = failed.isEmpty() ? null : failed.iterator().next();
        for (PhysicalConnection physical : open) {
            first = first == null && physical.hasFailed() ? physical.database() : first;
        }
        if (first != null) {
            throw new SQLException(
                    "A statement of this transaction has failed on database " + first
                            + ", so that it cannot be committed. Everything was rolled back, on all databases.",
                    IN_FAILED_TRANSACTION);
        }
    }

    /**
     * Commits where nothing was written, and then on the database that was. Without a declared write, a single
     * hidden one is as good as a declared one, so that the transaction must survive the check that finds it.
     */
    private void commitReadersThen(@Nullable String declared) throws SQLException {
        String written = declared;
        PhysicalConnection last = null;
        for (int i = 0; i < open.length; i++) {
            PhysicalConnection physical = open[i];
            boolean onlyOneLeft = written == null && i == open.length - 1;
            if (physical.database().equals(declared)) {
                last = physical;
            } else if (onlyOneLeft || !physical.canBeChecked()) {
                physical.commit();
            } else if (!commitUnwritten(physical, written == null)) {
                if (written != null) {
                    throw undeclared(written, physical.database());
                }
                written = physical.database();
                last = physical;
            }
        }
        if (last != null) {
            last.commit();
        }
    }

    private static SecondWriteShardException undeclared(String writer, String other) {
        return new SecondWriteShardException(
                "This transaction wrote to database " + writer + " and, within a statement that looks like a read, to"
                        + " database " + other
                        + ". Everything was rolled back, on all databases. Call what hides the write"
                        + " in a transaction of its own.");
    }

    /** Rolls back everywhere, also where one of them fails. */
    void rollback() throws SQLException {
        Failures.forEach(open, PhysicalConnection::rollback);
    }

    /** Rolls back what a failure has left; nothing is sent to databases that have committed. */
    private void rollbackAfter(Exception failure) {
        try {
            rollback();
        } catch (SQLException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /**
     * Commits, in one round trip, unless something was written.
     *
     * @param survives whether the transaction is then as before, rather than failed
     */
    private static boolean commitUnwritten(PhysicalConnection physical, boolean survives) throws SQLException {
        String check = physical.use().mayHaveTransactionId ? UNWRITTEN_DESPITE_ID : UNWRITTEN;
        try {
            PhysicalConnection.execute(
                    physical.connection(), survives ? "savepoint " + SAVEPOINT + "; " + check : check);
        } catch (SQLException e) {
            if (!DIVISION_BY_ZERO.equals(e.getSQLState())) {
                throw ConnectionLoss.explainCommit(e, physical.database());
            }
            if (survives) {
                physical.attempt(target -> PhysicalConnection.execute(target, "rollback to savepoint " + SAVEPOINT));
            }
            return false;
        }
        physical.commit(); // tells the pool; the driver knows that there is nothing left to send
        return true;
    }
}
