package io.github.shardedid.routing;

import io.github.shardedid.topology.ShardRanges;
import java.util.Collection;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;

/**
 * What is missing in the results of the queries over several shards that were allowed to leave out unreachable databases:
 * made by the caller, and looked at after the query. It only grows. Safe for use by several threads.
 *
 * @see ShardSet#withoutUnreachable(MissingShards)
 */
public final class MissingShards {
    private final SortedMap<Integer, String> reasons = new ConcurrentSkipListMap<>();

    /** Nothing is missing yet. */
    public MissingShards() {}

    /**
     * Notes shards that were left out.
     *
     * @param shards the shards
     * @param reason which database could not be reached, and why
     */
    public void add(Collection<Integer> shards, String reason) {
        shards.forEach(shard -> reasons.put(shard, reason));
    }

    /**
     * Whether the results are complete.
     *
     * @return true as long as no shard was left out
     */
    public boolean isEmpty() {
        return reasons.isEmpty();
    }

    /**
     * The shards that were left out.
     *
     * @return a copy, in ascending order
     */
    public SortedSet<Integer> shards() {
        return new TreeSet<>(reasons.keySet());
    }

    /**
     * Why each shard was left out.
     *
     * @return a copy: shard → the database that could not be reached, and what it or its pool said
     */
    public SortedMap<Integer, String> reasons() {
        return new TreeMap<>(reasons);
    }

    @Override
    public String toString() {
        SortedSet<Integer> shards = shards();
        return shards.isEmpty()
                ? "no shard is missing"
                : "missing are the shards "
                        + ShardRanges.of(
                                shards.stream().mapToInt(Integer::intValue).toArray()) + ": "
                        + reasons().values().stream().distinct().collect(Collectors.joining("; "));
    }
}
