package io.github.shardedid.routing.internal.connection;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Collects failures of several connections. The first failure counts; later ones are suppressed exceptions of
 * it, since they are mostly consequences, and the application must see the cause.
 */
public final class Failures {
    private Failures() {}

    /** A step that is taken with one connection. */
    @FunctionalInterface
    interface Step {
        void on(PhysicalConnection physical) throws SQLException;
    }

    /**
     * Takes a step on each connection, also where it has failed on another one, and throws the first failure in
     * the end. A rollback must reach the other databases although one of them is down.
     */
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

    /**
     * Returns the first failure, with the next one suppressed.
     *
     * @param first null if there was none before
     */
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
