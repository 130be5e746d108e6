package io.github.shardedid.routing;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Scopes for the statements of an integration, such as those of Hibernate and of repositories. Unlike a scope that the application opens
 * with {@link ShardContext}, one of these does not decide for code of the application that is called within: it is not
 * {@linkplain ShardContext#carry carried} to other threads, and {@link #ofApplication} ends it for a callback.
 */
public final class RoutedScope {
    private RoutedScope() {}

    /**
     * Opens a scope that the caller closes, on the same thread and in reverse order of opening.
     *
     * @param target where the statements go
     * @return the open scope
     */
    public static ShardContext.Scope open(Target target) {
        return ShardContext.route(target);
    }

    /**
     * Opens the scope of a shard.
     *
     * @param shard the shard, from 0
     * @return the open scope
     */
    public static ShardContext.Scope open(int shard) {
        return open(Target.shard(shard));
    }

    /**
     * Whether the innermost scope of this thread, of whoever has opened it, is that of a target: for what was decided by a scope before.
     *
     * @param target what is compared with the scope
     * @return false outside any scope
     */
    public static boolean isOpen(Target target) {
        return target.equals(ShardContext.target());
    }

    /**
     * Does work whose statements go to a target, and returns its result.
     *
     * @param <T> the type of the result
     * @param target where the statements go
     * @param work what to do
     * @return what the work returns
     */
    public static <T extends @Nullable Object> T call(Target target, Supplier<T> work) {
        if (isOpen(target)) {
            return work.get(); // as for each row of a flush: nothing is to be changed, and nothing to be restored
        }
        try (ShardContext.Scope scope = open(target)) {
            return work.get();
        }
    }

    /**
     * Opens the scope in which code of the application runs: the innermost one that the application has opened itself.
     *
     * @return the open scope; null if it is open already, so that there is nothing to close
     */
    public static ShardContext.@Nullable Scope ofApplication() {
        Target opened = ShardContext.opened();
        return Objects.equals(ShardContext.target(), opened) ? null : ShardContext.route(opened);
    }

    /**
     * Whether statements go where the application has said, and no integration has said otherwise since.
     *
     * @return false outside any scope
     */
    public static boolean isOfApplication() {
        Target target = ShardContext.target();
        return target != null && target.equals(ShardContext.opened());
    }

    /**
     * Does later what is to be sent where statements go now.
     *
     * @param work what to do
     * @return the same work, in the scope of now
     */
    public static Runnable carry(Runnable work) {
        Target now = ShardContext.target();
        return () -> {
            try (ShardContext.Scope scope = ShardContext.route(now)) {
                work.run();
            }
        };
    }
}
