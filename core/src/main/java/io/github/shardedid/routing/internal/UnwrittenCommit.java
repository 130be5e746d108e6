package io.github.shardedid.routing.internal;

import java.sql.SQLException;

/** The commit of what was only read, which makes sure in the same turn that nothing was written. */
final class UnwrittenCommit {
    private static final String DIVISION_BY_ZERO = "22012";
    private static final String UNWRITTEN =
            "select 1/(case when pg_current_xact_id_if_assigned() is null then 1 else 0 end); commit";
    private static final String SAVEPOINT = "sharded_id_commit";

    private UnwrittenCommit() {}

    /** Commits, in one turn, unless something was written; then the transaction has failed. */
    static boolean of(PhysicalConnection physical) throws SQLException {
        return commit(physical, UNWRITTEN);
    }

    /** Commits, in one turn, unless something was written; then the transaction is as before. */
    static boolean orStay(PhysicalConnection physical) throws SQLException {
        if (commit(physical, "savepoint " + SAVEPOINT + "; " + UNWRITTEN)) {
            return true;
        }
        physical.attempt(target -> PhysicalConnection.execute(target, "rollback to savepoint " + SAVEPOINT));
        return false;
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
