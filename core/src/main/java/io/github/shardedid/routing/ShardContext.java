package io.github.shardedid.routing;

import io.github.shardedid.topology.UnknownShardException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The shard, the set of shards, or the global database, to which this thread's statements go. Scopes nest; the innermost
 * counts. Repositories, the Hibernate integration and your own code open scopes; without one a statement is refused, for
 * there is no default shard.
 *
 * <p>In the scope of a {@link ShardSet} only queries can run: they ask all its shards, and their results are merged.
 *
 * <p>A scope belongs to the thread that opened it; {@link #carry} takes it along to another one. It says where a statement
 * goes, not that it may: a transaction writes to one shard only, or to the global database, whatever scopes are opened
 * within it.
 */
public final class ShardContext {
    /** The innermost scope; none outside any scope. */
    private static final ThreadLocal<@Nullable Scope> CURRENT = new ThreadLocal<>();

    private ShardContext() {}

    /**
     * The target of the innermost scope.
     *
     * @return null outside any scope
     */
    public static @Nullable Target target() {
        Scope scope = CURRENT.get();
        return scope == null ? null : scope.target;
    }

    /**
     * The shard of the innermost scope.
     *
     * @return the shard, or empty outside any scope and in the scope of a set or of the global database
     */
    public static OptionalInt current() {
        return target() instanceof Target.Shard shard ? OptionalInt.of(shard.number()) : OptionalInt.empty();
    }

    /**
     * The set of shards of the innermost scope.
     *
     * @return the set, or empty outside any scope and in the scope of a single shard or of the global database
     */
    public static Optional<ShardSet> currentSet() {
        return target() instanceof ShardSet set ? Optional.of(set) : Optional.empty();
    }

    /**
     * Runs work whose statements go to the schema of the global entities. JPA finds it by itself; native SQL and JDBC need
     * the scope.
     *
     * @param work what to do
     */
    public static void runGlobal(Runnable work) {
        run(Target.global(), work);
    }

    /**
     * Runs work whose statements go to the schema of the global entities, and returns its result.
     *
     * @param <T> the type of the result
     * @param work what to do
     * @return what the work returns
     */
    public static <T extends @Nullable Object> T callGlobal(Supplier<T> work) {
        return call(Target.global(), work);
    }

    /**
     * Runs work whose statements go to a shard.
     *
     * @param shard a shard of the cluster, from 0; that the cluster has it is checked when the first statement is prepared
     * @param work what to do
     * @throws UnknownShardException if no cluster can have such a shard: a negative number, or one above 1,048,575
     */
    public static void run(int shard, Runnable work) {
        run(Target.shard(shard), work);
    }

    /**
     * Runs work whose statements go to a shard, and returns its result.
     *
     * @param <T> the type of the result
     * @param shard a shard of the cluster, from 0; that the cluster has it is checked when the first statement is prepared
     * @param work what to do
     * @return what the work returns
     * @throws UnknownShardException if no cluster can have such a shard: a negative number, or one above 1,048,575
     */
    public static <T extends @Nullable Object> T call(int shard, Supplier<T> work) {
        return call(Target.shard(shard), work);
    }

    /**
     * Runs work whose statements go to a target; to several shards, only queries can.
     *
     * @param target where the statements go, such as {@link ShardSet#all()}
     * @param work what to do
     */
    public static void run(Target target, Runnable work) {
        call(target, () -> {
            work.run();
            return null;
        });
    }

    /**
     * Runs work whose statements go to a target, and returns its result; to several shards, only queries can.
     *
     * @param <T> the type of the result
     * @param target where the statements go, such as {@link ShardSet#all()}
     * @param work what to do
     * @return what the work returns
     */
    public static <T extends @Nullable Object> T call(Target target, Supplier<T> work) {
        try (Scope scope = open(target)) {
            return work.get();
        }
    }

    /**
     * Opens a scope that the caller closes, on the same thread and in reverse order of opening: for code that cannot pass
     * its work as a lambda because it throws checked exceptions.
     *
     * @param shard a shard of the cluster, from 0; that the cluster has it is checked when the first statement is prepared
     * @return the open scope
     * @throws UnknownShardException if no cluster can have such a shard: a negative number, or one above 1,048,575
     */
    public static Scope open(int shard) {
        return enter(Target.shard(shard));
    }

    /**
     * Opens a scope that the caller closes, on the same thread and in reverse order of opening. Several shards can only be
     * queried.
     *
     * @param target where the statements go, such as {@link ShardSet#all()}
     * @return the open scope
     */
    public static Scope open(Target target) {
        return enter(target);
    }

    /**
     * Takes the scope that is open now along to wherever the work will run: its statements go where this thread's do. With
     * none open they go nowhere, whatever is open there. A transaction does not travel, nor the shard that it is bound to, nor
     * the scope of a repository's call or of a row that Hibernate writes, in which a callback may run.
     *
     * @param work what to do later, perhaps on another thread, perhaps several times
     * @return the same work, in the scope of now
     */
    public static Runnable carry(Runnable work) {
        Target carried = opened();
        return () -> {
            try (Scope scope = enter(carried)) {
                work.run();
            }
        };
    }

    /**
     * An executor whose tasks run in the scope that is open where they are handed in: for {@code CompletableFuture}, pools,
     * and virtual threads.
     *
     * @param executor runs the tasks
     * @return an executor over it; safe for use by several threads if that one is
     */
    public static Executor carrying(Executor executor) {
        return task -> executor.execute(carry(task));
    }

    private static Scope enter(@Nullable Target target) {
        return new Scope(CURRENT.get(), target, target, false).entered();
    }

    /** A scope of an integration, in which the application's own one is still known. */
    static Scope route(@Nullable Target target) {
        Scope outer = CURRENT.get();
        return new Scope(outer, target, outer == null ? null : outer.opened, false).entered();
    }

    /** The same scope, in which the databases themselves are read. */
    static Scope ofPrimary() {
        Scope outer = CURRENT.get();
        return new Scope(outer, target(), opened(), true).entered();
    }

    /** Whether the databases themselves are read, rather than replicas. */
    static boolean isOfPrimary() {
        Scope scope = CURRENT.get();
        return scope != null && scope.ofPrimary;
    }

    /** The innermost scope that the application has opened; null if there is none. */
    static @Nullable Target opened() {
        Scope scope = CURRENT.get();
        return scope == null ? null : scope.opened;
    }

    /** What a context captures; null outside any scope. */
    static @Nullable Scope captured() {
        return CURRENT.get();
    }

    /** Replaces the scope of this thread by one that a context has captured on another thread; null for none. */
    static void replace(@Nullable Target target) {
        boolean ofPrimary = isOfPrimary();
        if (target == null && !ofPrimary) {
            CURRENT.remove();
        } else {
            new Scope(null, target, target, ofPrimary).entered();
        }
    }

    /** Continues in a scope of this thread that was replaced. */
    static void restore(Scope replaced) {
        CURRENT.set(replaced);
    }

    /** An open scope; closing it restores the one around it. Immutable. */
    public static final class Scope implements AutoCloseable {
        private final @Nullable Scope outer;
        final @Nullable Target target;
        /** What the application has opened. It differs from the target while an integration sends statements of its own. */
        final @Nullable Target opened;

        private final boolean ofPrimary;
        private final Thread thread = Thread.currentThread();

        private Scope(@Nullable Scope outer, @Nullable Target target, @Nullable Target opened, boolean ofPrimary) {
            this.outer = outer;
            this.target = target;
            this.opened = opened;
            this.ofPrimary = ofPrimary || (outer != null && outer.ofPrimary);
        }

        private Scope entered() {
            CURRENT.set(this);
            return this;
        }

        /**
         * Closes the scope.
         *
         * @throws IllegalStateException in another thread than the one that opened it, for example after a coroutine was suspended;
         *     the scope is still open there
         */
        @Override
        public void close() {
            if (Thread.currentThread() != thread) {
                throw new IllegalStateException("A scope that was opened in thread " + thread.getName()
                        + " is closed in thread " + Thread.currentThread().getName()
                        + ". It is still open there, so statements without a scope go to its shard. Close it where it was opened;"
                        + " in coroutines, propagate it by a context element instead.");
            }
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
    }
}
