package io.github.shardedid.operations.internal;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes work that was interrupted, and can simply go on, from one that has met an obstacle. An interrupted move, plan or run of
 * migrations stays in its journal as it is, so that another process continues it. An obstacle is recorded there as a failure.
 */
public final class Interruption {
    private Interruption() {}

    /** Returns whether the process stops, or has lost a connection, or gets none. The journal then looks as if the process had died. */
    public static boolean is(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof InterruptedException || (at instanceof SQLException sql && isLoss(sql.getSQLState()))) {
                return true;
            }
        }
        return false;
    }

    /** 57P01 to 57P03: the server stops or starts. 53300: all of its connections are in use. */
    private static boolean isLoss(@Nullable String state) {
        return state != null && (state.startsWith("08") || state.startsWith("57P0") || state.equals("53300"));
    }
}
