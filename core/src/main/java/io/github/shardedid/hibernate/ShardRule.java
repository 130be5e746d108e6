package io.github.shardedid.hibernate;

import io.github.shardedid.routing.NoShardException;

/** How a value determines a shard: by the bits of an id, or as a shard key. Safe for use by several threads. */
@FunctionalInterface
public interface ShardRule {
    /**
     * The shard of a value.
     *
     * @param value an id, a shard key, or an entity; never null
     * @return a shard of the cluster
     * @throws NoShardException if the value does not determine a shard
     * @throws io.github.shardedid.topology.UnknownShardException if the id names a shard that the cluster does not have
     * @throws io.github.shardedid.id.MalformedIdException if the number is not an id of the layout
     */
    int shardOf(Object value);

    /**
     * Returns whether all values of a type determine a shard by this rule, for checks before there is a value.
     *
     * @param type the declared type of the values; never null
     * @return false if some or all values of the type would be refused
     */
    default boolean accepts(Class<?> type) {
        return true;
    }
}
