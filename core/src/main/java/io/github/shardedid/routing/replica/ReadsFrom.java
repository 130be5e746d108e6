package io.github.shardedid.routing.replica;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the reads of this thread come from, for a scope in code, where databases have replicas. Scopes nest; the innermost
 * counts. Outside any, read-only connections and transactions read from replicas, as far as {@link ReplicaOptions} say so,
 * and all others from the databases themselves. A transaction that may write never reads from a replica.
 *
 * <p>A scope belongs to the thread that opened it, and does not travel to others.
 */
public enum ReadsFrom {
    /**
     * Replicas are not used: for what must see a write that was committed just before. A read-only transaction stays with a
     * database once it has read from it.
     */
    PRIMARY,

    /** In autocommit, plain queries of connections that are not read-only come from replicas, too: they may be out of date. */
    REPLICA;

    private static final ThreadLocal<@Nullable ReadsFrom> CURRENT = new ThreadLocal<>();

    /**
     * What the innermost scope says.
     *
     * @return null outside any scope
     */
    public static @Nullable ReadsFrom current() {
        return CURRENT.get();
    }

    /**
     * Runs work in a scope.
     *
     * @param work what to do
     */
    public void run(Runnable work) {
        try (Scope scope = open()) {
            work.run();
        }
    }

    /**
     * Runs work in a scope, and returns its result.
     *
     * @param <T> the type of the result
     * @param work what to do
     * @return what the work returns
     */
    public <T extends @Nullable Object> T call(Supplier<T> work) {
        try (Scope scope = open()) {
            return work.get();
        }
    }

    /**
     * Opens a scope that the caller closes, on the same thread and in reverse order of opening.
     *
     * @return the open scope
     */
    public Scope open() {
        Scope scope = new Scope(CURRENT.get());
        CURRENT.set(this);
        return scope;
    }

    /** An open scope; closing it restores the one around it. */
    public static final class Scope implements AutoCloseable {
        private final @Nullable ReadsFrom outer;

        private Scope(@Nullable ReadsFrom outer) {
            this.outer = outer;
        }

        @Override
        public void close() {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
    }
}
