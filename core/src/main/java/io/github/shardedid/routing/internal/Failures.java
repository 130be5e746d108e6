package io.github.shardedid.routing.internal;

import org.jspecify.annotations.Nullable;

/** The first failure counts; later ones are told with it. */
final class Failures {
    private Failures() {}

    static <E extends Throwable> E add(@Nullable E first, E next) {
        if (first == null) {
            return next;
        }
        if (first != next) {
            first.addSuppressed(next);
        }
        return first;
    }
}
