package io.github.shardedid.move.internal.comparison;

import java.sql.SQLException;

/** Waits for replication. */
@FunctionalInterface
public interface Barrier {
    /** Returns when all that is committed at the source by now has been applied at the target; throws an exception after a timeout. */
    void await() throws SQLException;
}
