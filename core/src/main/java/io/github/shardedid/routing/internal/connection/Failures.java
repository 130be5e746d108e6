package io.github.shardedid.routing.internal.connection;

import org.jspecify.annotations.Nullable;

/** The first failure counts; later ones are suppressed exceptions of it. */
public final class Failures {
    private Failures() {}

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
