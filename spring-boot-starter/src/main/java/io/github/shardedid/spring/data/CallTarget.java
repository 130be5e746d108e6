package io.github.shardedid.spring.data;

import io.github.shardedid.routing.ShardSet;
import java.util.List;
import java.util.SortedMap;

/** Target of one call of a repository method. */
sealed interface CallTarget {
    /** One shard. */
    record ToShard(int shard) implements CallTarget {}

    /** Several shards at once. */
    record ToShards(ShardSet shards) implements CallTarget {}

    /**
     * Several shards, with one call for each. The first argument of a call contains the values of its shard.
     *
     * @param values shard → values with their indexes
     * @param write whether each call is a separate transaction, which may fail while others succeed
     */
    record PerShard(SortedMap<Integer, List<PlacedValue>> values, boolean write) implements CallTarget {}

    /** A value and its index in the argument. */
    record PlacedValue(int position, Object value) {}

    /** No row of the cluster can match: the call finds nothing, and nothing is sent. */
    record ToNothing(RuntimeException why) implements CallTarget {}

    /** The call proceeds unchanged: Hibernate routes each row, or the methods that it calls are routed themselves. */
    record AsItIs() implements CallTarget {}

    CallTarget AS_IT_IS = new AsItIs();
}
