package io.github.shardedid.topology;

import io.github.shardedid.id.IdLayout;

/**
 * The layout of the ids and the current shard map, which together locate a row by its id. Thread-safe. A shard that the map does not have may have
 * been added by another instance: the databases are asked then, at most every 10 seconds.
 *
 * @param layout the layout of the ids; fixed for the cluster's life
 * @param map the shard map, replaced when shards move or are added
 */
public record Cluster(IdLayout layout, CurrentShardMap map) {
    /**
     * Checks that the layout has enough bits for the shards.
     *
     * @throws UnknownShardException if the map has more shards than the layout has bits for
     */
    public Cluster {
        if (map.get().shardCount() > layout.maxShards()) {
            throw new UnknownShardException("The layout " + layout + " allows " + layout.maxShards()
                    + " shards, but the cluster has " + map.get().shardCount() + ".");
        }
    }

    /**
     * The number of logical shards.
     *
     * @return 1 or more; they are numbered from 0
     */
    public int shardCount() {
        return map.get().shardCount();
    }

    /**
     * The number of shards over which keys are distributed by modulo or hash, see {@link ShardMap#keyShards()}.
     *
     * @return 1 or more; never changes
     * @throws UnownedShardException if no database has said it since this process started
     */
    public int keyShards() {
        int keyShards = map.get().keyShards();
        if (keyShards < 1) {
            throw new UnownedShardException(
                    "The number of shards over which keys are distributed is unknown: no database could be"
                            + " asked yet. Unreachable databases: " + map.get().unreachableDatabases()
                            + ". Start one of them.");
        }
        return keyShards;
    }

    /**
     * The shard in an id.
     *
     * @param id an id
     * @return a shard of this cluster
     * @throws io.github.shardedid.id.MalformedIdException if the number is no id of the layout
     * @throws UnknownShardException if the cluster has no such shard, so no row can have this id
     */
    public int shardOf(long id) {
        int shard = layout.shardOf(id);
        if (!map.has(shard)) {
            throw new UnknownShardException("The id " + id + " names shard " + shard + ", but this cluster's "
                    + shardCount() + " shards are numbered 0 to " + (shardCount() - 1)
                    + ". No row of this cluster can have that id. Check whether it comes from another cluster.");
        }
        return shard;
    }

    /**
     * Checks the number of a shard. Whether its database is known does not matter.
     *
     * @param shard any number
     * @return the same number
     * @throws UnknownShardException if the cluster has no such shard
     */
    public int requireShard(long shard) {
        if (shard >= layout.maxShards() || !map.has((int) Math.max(shard, -1))) {
            throw UnknownShardException.of(shard, shardCount());
        }
        return (int) shard;
    }

    /**
     * Returns whether a shard of this cluster can have generated the id. If not, a read finds nothing and a write is an error.
     *
     * @param id any number
     * @return false if the number is no id of the layout, or names a shard that the cluster does not have
     */
    public boolean canHaveMade(long id) {
        return layout.isId(id) && map.has(layout.shardOf(id));
    }
}
