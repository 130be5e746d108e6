package io.github.shardedid.move.internal.comparison;

import java.sql.SQLException;

/** Waits for replication. */
@FunctionalInterface
public interface Barrier {
    /** Returns when the target has applied everything that is committed at the source now; throws an exception after a timeout. */
    void await() throws SQLException;
}
