package io.github.shardedid.routing;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads that need what was committed just before, where databases have replicas: a read-only transaction reads from a replica, which may
 * be behind, unless the read is made in here. Then it stays with the database itself.
 */
public final class PrimaryReads {
    private PrimaryReads() {}

    /**
     * Returns whether this thread reads from the databases themselves.
     *
     * @return true within {@link #call}
     */
    public static boolean areCurrent() {
        return ShardContext.isOfPrimary();
    }

    /**
     * Runs work that reads from the databases themselves, and returns its result.
     *
     * @param <T> the type of the result
     * @param work what to do, on this thread
     * @return what the work returns
     */
    public static <T extends @Nullable Object> T call(Supplier<T> work) {
        try (ShardContext.Scope scope = ShardContext.ofPrimary()) {
            return work.get();
        }
    }
}
