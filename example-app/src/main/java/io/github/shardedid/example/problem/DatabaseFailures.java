package io.github.shardedid.example.problem;

import io.github.shardedid.routing.ConnectionLostException;
import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.topology.UnownedShardException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Distinguishes databases that are down from other failures. */
final class DatabaseFailures {
    private DatabaseFailures() {}

    /** Returns the message for the client if a database is down; null for other failures. */
    static @Nullable String unavailability(Throwable failure) {
        String lost = null;
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof DatabaseUnavailableException
                    || at instanceof ConnectionLostException
                    || at instanceof UnownedShardException) {
                return at.getMessage();
            }
            if (at instanceof SQLException sql && meansLost(sql.getSQLState())) {
                lost = sql.getMessage();
            }
        }
        return lost;
    }

    /** Class 08 is a connection failure, and 57P a server that is starting or shutting down. */
    private static boolean meansLost(@Nullable String state) {
        return state != null && (state.startsWith("08") || state.startsWith("57P"));
    }
}
