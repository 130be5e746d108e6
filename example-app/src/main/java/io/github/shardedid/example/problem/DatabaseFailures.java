package io.github.shardedid.example.problem;

import io.github.shardedid.routing.ConnectionLostException;
import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.topology.UnownedShardException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Tells a database that is down from other failures. */
final class DatabaseFailures {
    private DatabaseFailures() {}

    /** What to say to the client if a database is down, or null if that is not what happened. */
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

    /** Class 08 is a broken connection, 57P a server that shuts down or starts up. */
    private static boolean meansLost(@Nullable String state) {
        return state != null && (state.startsWith("08") || state.startsWith("57P"));
    }
}
