package io.github.shardedid.topology;

import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses the shard of a new row that has neither a shard key nor a parent, such as a new user. Implementations must be
 * thread-safe.
 */
@FunctionalInterface
public interface ShardPlacement {
    /** The maximum weight of a database's shards. */
    double LARGEST_WEIGHT = 1_000_000;

    /**
     * Chooses the shard of a new entity.
     *
     * @param entity the new entity
     * @param map the current shard map
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

    /**
     * Distributes new rows by weight. The weight of a shard is that of its current database, so it changes when the shard
     * moves. An unowned shard gets no rows.
     *
     * @param weights the weight of each shard of a database, by database name: 0 (no new rows, for a database that is to be
     *     emptied) to {@link #LARGEST_WEIGHT}. The default is 1
     * @return a placement; it throws {@link NoPlacementException} if all shards have the weight 0
     * @throws IllegalArgumentException if a weight is out of that range
     */
    static ShardPlacement weighted(Map<String, ? extends Number> weights) {
        return new WeightedPlacement(weights);
    }
}
