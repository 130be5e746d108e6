package io.github.shardedid.hibernate;

/** How a value tells a shard: by the bits of an id in it, or as a shard key. Safe for use by several threads. */
@FunctionalInterface
public interface ShardRule {
    /**
     * The shard that a value tells.
     *
     * @param value an id, a shard key, or an entity; never null
     * @return a shard of the cluster
     * @throws ShardKeyException if the value is of a kind that tells no shard
     * @throws io.github.shardedid.topology.UnknownShardException if the id names a shard that the cluster does not have
     * @throws io.github.shardedid.id.MalformedIdException if the number is no id of the layout
     */
    int shardOf(Object value);

    /**
     * Whether values of a type can tell a shard by this rule, for those who want to know it before there is a value.
     *
     * @param type the values' declared type
     * @return false if each value of the type would be refused, or some might
     */
    default boolean accepts(Class<?> type) {
        return true;
    }
}
