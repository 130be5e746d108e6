package io.github.shardedid.topology;

import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses the shard of a new row that has neither a shard key nor a parent, such as a new user. Implementations must be
 * safe for use by several threads.
 */
@FunctionalInterface
public interface ShardPlacement {
    /** The largest weight that a database's shards can have. */
    double LARGEST_WEIGHT = 1_000_000;

    /**
     * Chooses.
     *
     * @param entity the new entity
     * @param map the shard map that is valid now
     * @return a shard of that map
     */
    int shardFor(Object entity, ShardMap map);

    /**
     * Spreads new rows evenly: each shard with the same probability.
     *
     * @return the default placement
     */
    static ShardPlacement even() {
        return (entity, map) -> ThreadLocalRandom.current().nextInt(map.shardCount());
    }

    /**
     * Gives the shards of some databases more new rows than others, or none. It follows the shard map: what a shard gets is
     * decided by the database on which it lives now. A shard whose home is not known gets none.
     *
     * @param weights by database name, how many new rows each of its shards gets for every one that a shard of weight 1
     *     gets: 0 for none, as on a database that is to be emptied, up to {@link #LARGEST_WEIGHT}. Databases that are not
     *     named have weight 1
     * @return a placement; it throws {@link NoPlacementException} where no shard has a weight
     * @throws IllegalArgumentException if a weight is out of that range
     */
    static ShardPlacement weighted(Map<String, ? extends Number> weights) {
        return new WeightedPlacement(weights);
    }
}
