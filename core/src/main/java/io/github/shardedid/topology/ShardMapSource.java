package io.github.shardedid.topology;

/** Where a shard map comes from: in production, the databases themselves. */
@FunctionalInterface
public interface ShardMapSource {
    /**
     * Asks for the map as it is now. Called by several threads, but never by two at once for one {@link CurrentShardMap}.
     *
     * @return a new map; databases that cannot be reached are in {@link ShardMap#unreachableDatabases()}
     * @throws ShardOwnershipException if what the databases say does not make a map
     */
    ShardMap load();
}
