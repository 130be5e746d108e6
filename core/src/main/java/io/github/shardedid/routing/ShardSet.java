package io.github.shardedid.routing;

import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardRanges;
import io.github.shardedid.topology.UnknownShardException;
import java.util.Collection;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The shards that a query asks together; opened as a scope by {@link ShardContext#open(Target)}. Immutable, but for the
 * {@link MissingShards} that it may report to. Safe for use by several threads.
 */
public final class ShardSet implements Target {
    private static final ShardSet ALL = new ShardSet(null, null, false, 0);

    private final @Nullable ShardRanges chosen;
    private final @Nullable MissingShards missing;
    private final boolean perShard;
    private final int fetchSize;

    private ShardSet(@Nullable ShardRanges chosen, @Nullable MissingShards missing, boolean perShard, int fetchSize) {
        this.chosen = chosen;
        this.missing = missing;
        this.perShard = perShard;
        this.fetchSize = fetchSize;
    }

    /**
     * All shards of the cluster, those that it has when the query is sent.
     *
     * @return the set; a shard that cannot be asked is an error
     */
    public static ShardSet all() {
        return ALL;
    }

    /**
     * Some shards of the cluster.
     *
     * @param shards shards of the cluster, at least one; checked when a query is sent
     * @return the set; a shard that cannot be asked is an error
     * @throws IllegalArgumentException if there is none
     * @throws UnknownShardException if no cluster can have such a shard: a negative number, or one above 1,048,575
     */
    public static ShardSet of(Collection<Integer> shards) {
        if (shards.isEmpty()) {
            throw new IllegalArgumentException("One or more shards are to be asked, not none.");
        }
        return new ShardSet(
                ShardRanges.of(shards.stream()
                        .mapToInt(UnknownShardException::requirePossible)
                        .toArray()),
                null,
                false,
                0);
    }

    /**
     * The same shards, but those on databases that cannot be reached, and those that a move has fenced for longer than is waited, are
     * left out of the results.
     *
     * @param report receives each shard that was left out; read it after the query
     * @return a new set
     */
    public ShardSet withoutUnreachable(MissingShards report) {
        return new ShardSet(chosen, report, perShard, fetchSize);
    }

    /**
     * The same shards, each meant by itself: joins, subselects and functions may compare rows that have no partner in their own
     * shard but in another one. Without it such queries are refused.
     *
     * @return a new set
     */
    public ShardSet perShard() {
        return new ShardSet(chosen, missing, true, fetchSize);
    }

    /**
     * The same shards, whose rows are fetched as they are read, instead of all at once: memory does not depend on their number, and
     * {@code maxRows} does not limit it. Until its result is closed, a query holds one transaction on each database. A fetch size
     * that is set on the statement takes precedence. Groups and aggregates, and a limit of up to {@code maxRows}, are fetched at once.
     *
     * @param rows how many rows of each statement are fetched at a time, 1 or more; 0 for all at once
     * @return a new set
     * @throws IllegalArgumentException if it is negative
     */
    public ShardSet withFetchSize(int rows) {
        if (rows < 0) {
            throw new IllegalArgumentException("A fetch size is 0 or more, not " + rows + ".");
        }
        return new ShardSet(chosen, missing, perShard, rows);
    }

    /**
     * How many rows of each statement are fetched at a time.
     *
     * @return 0 for all at once
     */
    public int fetchSize() {
        return fetchSize;
    }

    /**
     * Whether each shard is meant by itself.
     *
     * @return true for what {@link #perShard} returns
     */
    public boolean isPerShard() {
        return perShard;
    }

    /**
     * The numbers of the shards.
     *
     * @param map the shard map that is valid now
     * @return in ascending order
     */
    public IntStream shards(ShardMap map) {
        return chosen == null ? IntStream.range(0, map.shardCount()) : chosen.shards();
    }

    /**
     * What receives the shards that cannot be reached.
     *
     * @return null if they are an error
     */
    public @Nullable MissingShards missing() {
        return missing;
    }

    /** Returns whether the other one names the same shards, asks them in the same way, and reports to the same {@link MissingShards}. */
    @Override
    @SuppressWarnings("ReferenceEquality") // a report is itself only
    public boolean equals(@Nullable Object other) {
        return other instanceof ShardSet set
                && missing == set.missing
                && perShard == set.perShard
                && fetchSize == set.fetchSize
                && toString().equals(set.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    @Override
    public String toString() {
        return chosen == null ? "all shards" : "the shards " + chosen;
    }
}
