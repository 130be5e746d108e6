package io.github.shardedid.test.matrix;

import org.jspecify.annotations.Nullable;

/**
 * A row of the matrix: something that is done with the row of an id.
 *
 * @param <S> what it is done with, such as a session
 * @param name as on the page
 * @param work what to do; what it returns is compared with {@code gives}, null and "" mean that nothing was found
 * @param gives what it returns where it works
 * @param scoped whether a scope, and not the id, tells the shard
 * @param leaves a query of the row's shard, {@code $.} being its schema and {@code $id} the id; null if it only reads
 * @param left what that query returns where it worked
 */
public record Operation<S>(
        String name, Work<S> work, @Nullable Object gives, boolean scoped, @Nullable String leaves, String left) {
    /** What is done. */
    @FunctionalInterface
    public interface Work<S> {
        /** Does it. */
        @Nullable
        Object with(Call<S> call) throws Exception;
    }

    /** What is done and returns nothing. */
    @FunctionalInterface
    public interface Effect<S> {
        /** Does it. */
        void with(Call<S> call) throws Exception;
    }

    /**
     * One performance of an operation.
     *
     * @param session what it is done with
     * @param id the row's id, and that of the rows of other tables that belong to it; the next two are of the same shard
     * @param shard the id's shard
     */
    public record Call<S>(S session, long id, int shard) {}

    /** One that only reads. */
    public static <S> Operation<S> reads(String name, Object gives, Work<S> work) {
        return new Operation<>(name, work, gives, false, null, "");
    }

    /** One that writes, and leaves something to be seen with a query. */
    public static <S> Operation<S> writes(String name, String leaves, String left, Effect<S> work) {
        return new Operation<>(
                name,
                call -> {
                    work.with(call);
                    return null;
                },
                null,
                false,
                leaves,
                left);
    }

    /** The same in a scope of the row's shard, without which it cannot work. */
    public Operation<S> inScope() {
        return new Operation<>(name, work, gives, true, leaves, left);
    }

    /** Whether its SQL leaves the schema to the search path, which need not be set each time. */
    boolean namesNoSchema() {
        return name.endsWith("without schema");
    }

    /** Whether no statement shows that it writes. */
    boolean hidesItsWrite() {
        return name.startsWith("function that writes");
    }

    boolean isWrite() {
        return leaves != null;
    }
}
