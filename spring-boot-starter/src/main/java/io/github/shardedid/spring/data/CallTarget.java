package io.github.shardedid.spring.data;

import io.github.shardedid.routing.Target;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Target of one call of a repository method. */
sealed interface CallTarget {
    /** One shard, or several at once. */
    record To(Target target) implements CallTarget {}

    /**
     * Several shards, with one call for each. The first argument of a call contains the values of its shard.
     *
     * @param values shard → values with their indexes
     * @param write whether each call is a separate transaction, which may fail while others succeed
     */
    record PerShard(SortedMap<Integer, List<PlacedValue>> values, boolean write) implements CallTarget {}

    /** A value and its index in the argument. */
    record PlacedValue(int position, Object value) {}

    /** The call proceeds unchanged: Hibernate routes each row, or the methods that it calls are routed themselves. */
    record AsItIs() implements CallTarget {}

    CallTarget AS_IT_IS = new AsItIs();

    /** A shard; null for an id that no row of the cluster can have: any shard knows that, and what the call returns then. */
    static CallTarget to(@Nullable Integer shard) {
        return new To(Target.shard(shard == null ? 0 : shard));
    }
}
