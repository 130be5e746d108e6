package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.SecondWriteShardException;
import java.sql.SQLException;
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
record TransactionEnd(PhysicalConnection[] open, NonTransactionalReads reads) {
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
     * @param kept the connections on which it has not begun, and over which it has reserved ids
     * @param writer the database that was written, or null if no write was declared
     * @param readOnly whether the databases themselves refuse writes
     * @throws SecondWriteShardException if a second database was written
     */
    void commit(PhysicalConnection[] kept, @Nullable String writer, boolean readOnly) throws SQLException {
        try {
            requireNoFailure();
            for (PhysicalConnection physical : kept) {
                physical.flushReservations();
            }
            if (open.length == 1 || readOnly) {
                for (PhysicalConnection physical : open) {
                    physical.commit();
                }
            } else if (writer == null) {
                commitUndeclared();
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
    private void requireNoFailure() throws SQLException {
        reads.requireCommittable();
        for (PhysicalConnection physical : open) {
            if (physical.hasFailed()) {
                throw NonTransactionalReads.failure(physical.database());
            }
        }
    }

    /** Commits where the transaction was declared to read, and then on the database that was written. */
    private void commitReadersThen(String writer) throws SQLException {
        PhysicalConnection last = null;
        for (PhysicalConnection physical : open) {
            if (physical.database().equals(writer)) {
                last = physical;
            } else if (!physical.canBeChecked()) {
                physical.commit();
            } else if (!commitUnwritten(physical)) {
                throw undeclared(writer, physical.database());
            }
        }
        if (last != null) {
            last.commit();
        }
    }

    /**
     * Commits a transaction that has declared no write. A single hidden write is as good as a declared one: the
     * database that has it commits last.
     */
    private void commitUndeclared() throws SQLException {
        PhysicalConnection writer = null;
        for (int i = 0; i < open.length; i++) {
            PhysicalConnection physical = open[i];
            boolean onlyOneLeft = writer == null && i == open.length - 1;
            if (onlyOneLeft || !physical.canBeChecked()) {
                physical.commit();
            } else if (!commitUnwrittenOrStay(physical)) {
                if (writer != null) {
                    throw undeclared(writer.database(), physical.database());
                }
                writer = physical;
            }
        }
        if (writer != null) {
            writer.commit();
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

    /** Commits, in one round trip, unless something was written; then the transaction has failed. */
    private static boolean commitUnwritten(PhysicalConnection physical) throws SQLException {
        return commitChecked(physical, check(physical));
    }

    /** Commits, in one round trip, unless something was written; then the transaction is as before. */
    private static boolean commitUnwrittenOrStay(PhysicalConnection physical) throws SQLException {
        if (commitChecked(physical, "savepoint " + SAVEPOINT + "; " + check(physical))) {
            return true;
        }
        physical.attempt(target -> PhysicalConnection.execute(target, "rollback to savepoint " + SAVEPOINT));
        return false;
    }

    private static String check(PhysicalConnection physical) {
        return physical.use().mayHaveTransactionId ? UNWRITTEN_DESPITE_ID : UNWRITTEN;
    }

    private static boolean commitChecked(PhysicalConnection physical, String sql) throws SQLException {
        try {
            PhysicalConnection.execute(physical.connection(), sql);
        } catch (SQLException e) {
            if (DIVISION_BY_ZERO.equals(e.getSQLState())) {
                return false;
            }
            throw ConnectionLoss.explainCommit(e, physical.database());
        }
        physical.commit(); // tells the pool; the driver knows that there is nothing left to send
        return true;
    }
}
