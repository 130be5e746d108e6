package io.github.shardedid.topology;

import io.github.shardedid.ClusterConfigurationException;

/** A source of shard maps. In production, this is the databases themselves. */
@FunctionalInterface
public interface ShardMapSource {
    /**
     * Loads the current map. Called by several threads, but never concurrently for one {@link CurrentShardMap}.
     *
     * @return a new map; databases that cannot be reached are in {@link ShardMap#unreachableDatabases()}
     * @throws ClusterConfigurationException if the ownership of shards is inconsistent
     */
    ShardMap load();
}
