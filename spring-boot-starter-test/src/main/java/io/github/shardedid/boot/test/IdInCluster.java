package io.github.shardedid.boot.test;

import io.github.shardedid.id.DecodedId;
import io.github.shardedid.topology.Cluster;
import org.assertj.core.api.AssertProvider;

/** An id of the cluster, for assertions. */
public final class IdInCluster implements AssertProvider<IdAssert> {
    private final long id;
    private final Cluster cluster;
    private final EntityTables tables;

    IdInCluster(long id, Cluster cluster, EntityTables tables) {
        this.id = id;
        this.cluster = cluster;
        this.tables = tables;
    }

    /**
     * The id itself.
     *
     * @return the number
     */
    public long value() {
        return id;
    }

    /**
     * The shard in the id.
     *
     * @return a shard of the cluster
     * @throws io.github.shardedid.id.MalformedIdException if the number is no id of the cluster's layout
     * @throws io.github.shardedid.topology.UnknownShardException if the cluster has no such shard
     */
    public int shard() {
        return cluster.shardOf(id);
    }

    /**
     * The database that currently owns the shard.
     *
     * @return its name, {@code pg1} and the like
     */
    public String database() {
        return cluster.map().get().databaseOf(shard());
    }

    /**
     * The decoded id.
     *
     * @return instant, shard, node and sequence
     */
    public DecodedId decoded() {
        return cluster.layout().decode(id);
    }

    /** Whether the cluster has the shard in the id. */
    boolean isKnown() {
        return cluster.canHaveMade(id);
    }

    /** Creates one from an id, or an entity that has an id. */
    IdInCluster other(Object idOrEntity) {
        Object other = idOrEntity instanceof Number ? idOrEntity : tables.idOf(idOrEntity);
        if (other instanceof Number number) {
            return new IdInCluster(number.longValue(), cluster, tables);
        }
        throw new IllegalArgumentException("The id " + other + " of " + idOrEntity + " names no shard.");
    }

    @Override
    public IdAssert assertThat() {
        return new IdAssert(this);
    }

    /** The description in messages. */
    @Override
    public String toString() {
        return isKnown()
                ? "id " + id + ", which names shard " + shard() + " on database " + database()
                : "number " + id + ", which is no id of this cluster";
    }
}
