package io.github.shardedid.topology;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses the shard of a new row that has neither a shard key nor a parent, such as a new user, unless a scope is open or the transaction has
 * written to a shard. Implementations must be thread-safe.
 */
@FunctionalInterface
public interface ShardPlacement {
    /**
     * Chooses the shard of a new entity.
     *
     * @param entity the new entity
     * @param map the current shard map, without shards that were added less than two minutes ago
     * @return a shard of that map
     */
    int shardFor(Object entity, ShardMap map);

    /**
     * Distributes new rows evenly: each shard has the same probability.
     *
     * @return the default placement
     */
    static ShardPlacement even() {
        return (entity, map) -> ThreadLocalRandom.current().nextInt(map.shardCount());
    }
}
