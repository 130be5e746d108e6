package io.github.shardedid.routing;

import io.github.shardedid.routing.internal.target.LoggedScope;
import io.github.shardedid.topology.UnknownShardException;
import java.util.Objects;
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
    private static final Object GLOBAL = new Object();

    /** An Integer, a ShardSet, GLOBAL, or null. Set to null rather than removed: the next scope is cheaper then, and nothing leaks. */
    private static final ThreadLocal<@Nullable Object> CURRENT = new ThreadLocal<>();

    private ShardContext() {}

    /**
     * The shard of the innermost scope.
     *
     * @return the shard, or empty outside any scope and in the scope of a set or of the global database
     */
    public static OptionalInt current() {
        return CURRENT.get() instanceof Integer shard ? OptionalInt.of(shard) : OptionalInt.empty();
    }

    /**
     * The set of shards of the innermost scope.
     *
     * @return the set, or empty outside any scope and in the scope of a single shard or of the global database
     */
    public static Optional<ShardSet> currentSet() {
        return CURRENT.get() instanceof ShardSet set ? Optional.of(set) : Optional.empty();
    }

    /**
     * Whether the innermost scope is that of the global database.
     *
     * @return false outside any scope, and in the scope of one or more shards
     */
    public static boolean isGlobal() {
        return CURRENT.get() == GLOBAL;
    }

    /**
     * Runs work whose statements go to the schema of the global entities. JPA finds it by itself; native SQL and JDBC need
     * the scope.
     *
     * @param work what to do
     */
    public static void runGlobal(Runnable work) {
        callGlobal(() -> {
            work.run();
            return null;
        });
    }

    /**
     * Runs work whose statements go to the schema of the global entities, and returns its result.
     *
     * @param <T> the type of the result
     * @param work what to do
     * @return what the work returns
     */
    public static <T extends @Nullable Object> T callGlobal(Supplier<T> work) {
        try (Scope scope = openGlobal()) {
            return work.get();
        }
    }

    /**
     * Opens a scope of the global database that the caller closes, on the same thread and in reverse order of opening.
     *
     * @return the open scope; that there is a global database is checked when the first statement is prepared
     */
    public static Scope openGlobal() {
        return enter(GLOBAL);
    }

    /**
     * Runs work whose statements go to a shard.
     *
     * @param shard a shard of the cluster, from 0; that the cluster has it is checked when the first statement is prepared
     * @param work what to do
     * @throws UnknownShardException if no cluster can have such a shard: a negative number, or one above 1,048,575
     */
    public static void run(int shard, Runnable work) {
        call(shard, () -> {
            work.run();
            return null;
        });
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
        if (CURRENT.get() instanceof Integer current && current == shard) {
            return work.get(); // as for each row of a flush: nothing is to be changed, and nothing to be restored
        }
        try (Scope scope = open(shard)) {
            return work.get();
        }
    }

    /**
     * Runs work whose queries go to several shards.
     *
     * @param shards which shards, such as {@link ShardSet#all()}
     * @param work what to do
     */
    public static void run(ShardSet shards, Runnable work) {
        call(shards, () -> {
            work.run();
            return null;
        });
    }

    /**
     * Runs work whose queries go to several shards, and returns its result.
     *
     * @param <T> the type of the result
     * @param shards which shards, such as {@link ShardSet#all()}
     * @param work what to do
     * @return what the work returns
     */
    public static <T extends @Nullable Object> T call(ShardSet shards, Supplier<T> work) {
        try (Scope scope = open(shards)) {
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
        return enter(UnknownShardException.requirePossible(shard));
    }

    /**
     * Opens a scope for queries over several shards that the caller closes, on the same thread and in reverse order of
     * opening.
     *
     * @param shards which shards, such as {@link ShardSet#all()}
     * @return the open scope
     */
    public static Scope open(ShardSet shards) {
        return enter(shards);
    }

    /**
     * Takes the scope that is open now along to wherever the work will run: its statements go where this thread's do. With
     * none open they go nowhere, whatever is open there. A transaction does not travel, nor the shard that it is bound to.
     *
     * @param work what to do later, perhaps on another thread, perhaps several times
     * @return the same work, in the scope of now
     */
    public static Runnable carry(Runnable work) {
        Object carried = CURRENT.get();
        return () -> {
            try (Scope scope = enter(carried)) {
                work.run();
            }
        };
    }

    /**
     * Takes the scope that is open now along to wherever the work will run, and returns its result there.
     *
     * @param <T> the type of the result
     * @param work what to do later, perhaps on another thread, perhaps several times
     * @return the same work, in the scope of now
     */
    public static <T extends @Nullable Object> Supplier<T> carryCall(Supplier<T> work) {
        Object carried = CURRENT.get();
        return () -> {
            try (Scope scope = enter(carried)) {
                return work.get();
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

    private static Scope enter(@Nullable Object target) {
        Scope scope = new Scope(CURRENT.get());
        become(target);
        return scope;
    }

    /** An Integer, a ShardSet, GLOBAL, or null. */
    static @Nullable Object target() {
        return CURRENT.get();
    }

    static void become(@Nullable Object target) {
        if (LoggedScope.isOn() && !Objects.equals(CURRENT.get(), target)) {
            log(target);
        }
        CURRENT.set(target);
    }

    /** What another holder of a scope gives back: never anything but what {@link #target} has given. */
    static Object requireTarget(Object target) {
        if (target instanceof Integer shard) {
            return UnknownShardException.requirePossible(shard);
        } else if (target == GLOBAL || target instanceof ShardSet) {
            return target;
        }
        throw new IllegalArgumentException("A " + target.getClass().getName() + " is no scope of a ShardContext.");
    }

    private static void log(@Nullable Object target) {
        if (target instanceof Integer shard) {
            LoggedScope.enter(shard);
        } else if (target == GLOBAL) {
            LoggedScope.enterGlobal();
        } else {
            LoggedScope.leave();
        }
    }

    /** An open scope; closing it restores the one around it. */
    public static final class Scope implements AutoCloseable {
        private final @Nullable Object outer;

        private Scope(@Nullable Object outer) {
            this.outer = outer;
        }

        @Override
        public void close() {
            become(outer);
        }
    }
}
