package io.github.shardedid.move.internal.comparison;

import java.sql.SQLException;

/** Waits for replication. */
@FunctionalInterface
public interface Barrier {
    /** Returns when all that is committed at the source by now has been applied at the target; gives up with an exception. */
    void await() throws SQLException;
}
