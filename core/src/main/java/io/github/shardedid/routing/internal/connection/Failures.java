package io.github.shardedid.routing.internal.connection;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The first failure counts; later ones are suppressed exceptions of it. */
public final class Failures {
    private Failures() {}

    /** Does something with a connection. */
    @FunctionalInterface
    interface Step {
        void on(PhysicalConnection physical) throws SQLException;
    }

    /** Takes a step on each connection, also where it has failed on another one; throws the first failure in the end. */
    static void forEach(PhysicalConnection[] all, Step step) throws SQLException {
        SQLException failure = null;
        for (PhysicalConnection physical : all) {
            try {
                step.on(physical);
            } catch (SQLException e) {
                failure = add(failure, e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    public static <E extends Throwable> E add(@Nullable E first, E next) {
        if (first == null) {
            return next;
        }
        if (first != next) {
            first.addSuppressed(next);
        }
        return first;
    }
}
