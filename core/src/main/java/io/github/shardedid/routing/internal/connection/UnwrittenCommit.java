package io.github.shardedid.routing.internal.connection;

import java.sql.SQLException;

/** The commit of what was only read, which makes sure in the same round trip that nothing was written. */
final class UnwrittenCommit {
    private static final String DIVISION_BY_ZERO = "22012";

    /** A transaction that has written nothing, and locked no row, has no transaction id. */
    private static final String WITHOUT_ID = "pg_current_xact_id_if_assigned() is null";

    /**
     * Locked rows, and writes that were rolled back to a savepoint, leave an id that proves nothing. But who writes locks what he
     * writes to, up to the end of the transaction, in a mode in which nobody reads, nor locks rows; a rollback to a savepoint lets go of
     * these locks. Looking at all locks takes longer, hence only where there is an id.
     */
    private static final String WITHOUT_LOCKS =
            "not exists (select from pg_locks where pid = pg_backend_pid() and locktype in ('relation', 'object')"
                    + " and mode not in ('AccessShareLock', 'RowShareLock'))";

    private static final String UNWRITTEN = "select 1/(case when " + WITHOUT_ID + " then 1 else 0 end); commit";
    private static final String UNWRITTEN_DESPITE_ID =
            "select 1/(case when " + WITHOUT_ID + " then 1 when " + WITHOUT_LOCKS + " then 1 else 0 end); commit";
    private static final String SAVEPOINT = "sharded_id_commit";

    private UnwrittenCommit() {}

    /** Commits, in one round trip, unless something was written; then the transaction has failed. */
    static boolean of(PhysicalConnection physical) throws SQLException {
        return commit(physical, check(physical));
    }

    /** Commits, in one round trip, unless something was written; then the transaction is as before. */
    static boolean orStay(PhysicalConnection physical) throws SQLException {
        if (commit(physical, "savepoint " + SAVEPOINT + "; " + check(physical))) {
            return true;
        }
        physical.attempt(target -> PhysicalConnection.execute(target, "rollback to savepoint " + SAVEPOINT));
        return false;
    }

    private static String check(PhysicalConnection physical) {
        return physical.use().expectsId() ? UNWRITTEN_DESPITE_ID : UNWRITTEN;
    }

    private static boolean commit(PhysicalConnection physical, String sql) throws SQLException {
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
