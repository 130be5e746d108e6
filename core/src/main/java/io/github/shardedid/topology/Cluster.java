package io.github.shardedid.topology;

import io.github.shardedid.id.IdLayout;

/**
 * What one needs to find a row by its id: the layout of the ids and the shard map that is valid now. Safe for use by
 * several threads.
 *
 * @param layout how ids are divided; fixed for the cluster's life, but for its JVM nodes
 * @param map the shard map, replaced as shards move
 */
public record Cluster(IdLayout layout, CurrentShardMap map) {
    /**
     * Checks that the layout can number the shards.
     *
     * @throws UnknownShardException if the map has more shards than the layout has bits for
     */
    public Cluster {
        if (map.get().shardCount() > layout.maxShards()) {
            throw new UnknownShardException("The layout " + layout + " can number " + layout.maxShards()
                    + " shards, not " + map.get().shardCount() + ".");
        }
    }

    /**
     * How many logical shards there are.
     *
     * @return 1 or more; they are numbered from 0
     */
    public int shardCount() {
        return map.get().shardCount();
    }

    /**
     * The shard that an id names.
     *
     * @param id an id
     * @return a shard of this cluster
     * @throws io.github.shardedid.id.MalformedIdException if the number is no id of the layout
     * @throws UnknownShardException if the cluster has no such shard, so that no row can have this id
     */
    public int shardOf(long id) {
        int shard = layout.shardOf(id);
        if (shard >= shardCount()) {
            throw new UnknownShardException("The id " + id + " names shard " + shard + ", but this cluster's "
                    + shardCount() + " shards are numbered 0 to " + (shardCount() - 1)
                    + ": no row of it can have that id. Is the id from another cluster?");
        }
        return shard;
    }

    /**
     * Whether a shard of this cluster can have made the id. If not, a read finds nothing and a write is an error.
     *
     * @param id any number
     * @return false if the number is no id of the layout, or names a shard that the cluster does not have
     */
    public boolean canHaveMade(long id) {
        return layout.isId(id) && layout.shardOf(id) < shardCount();
    }
}
