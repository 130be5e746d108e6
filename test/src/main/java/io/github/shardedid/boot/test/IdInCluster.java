package io.github.shardedid.boot.test;

import io.github.shardedid.id.DecodedId;
import io.github.shardedid.topology.Cluster;
import org.assertj.core.api.AssertProvider;

/** An id of the cluster, to be asserted on. */
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
     * The shard that the id names.
     *
     * @return a shard of the cluster
     * @throws io.github.shardedid.id.MalformedIdException if the number is no id of the cluster's layout
     * @throws io.github.shardedid.topology.UnknownShardException if it names a shard that the cluster does not have
     */
    public int shard() {
        return cluster.shardOf(id);
    }

    /**
     * The database that is home of that shard just now.
     *
     * @return its name, {@code pg1} and the like
     */
    public String database() {
        return cluster.map().get().databaseOf(shard());
    }

    /**
     * What the bits of the id say.
     *
     * @return instant, shard, node and sequence
     */
    public DecodedId decoded() {
        return cluster.layout().decode(id);
    }

    /** Whether a shard of the cluster can have made it. */
    boolean isKnown() {
        return cluster.canHaveMade(id);
    }

    /** Of an id, or an entity that has one. */
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

    /** As messages name it. */
    @Override
    public String toString() {
        return isKnown()
                ? "id " + id + ", which names shard " + shard() + " on database " + database()
                : "number " + id + ", which is no id of this cluster";
    }
}
