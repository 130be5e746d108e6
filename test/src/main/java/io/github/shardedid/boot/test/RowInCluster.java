package io.github.shardedid.boot.test;

import io.github.shardedid.topology.Cluster;
import java.util.List;
import org.assertj.core.api.AssertProvider;

/** The row of an entity, wherever it is, to be asserted on. */
public final class RowInCluster implements AssertProvider<RowAssert> {
    private final EntityTables.Table table;
    private final Object id;
    private final Cluster cluster;
    private final EntityTables tables;
    private final RowSearch search;

    RowInCluster(EntityTables.Table table, Object id, Cluster cluster, EntityTables tables, RowSearch search) {
        this.table = table;
        this.id = id;
        this.cluster = cluster;
        this.tables = tables;
        this.search = search;
    }

    /**
     * Where the row is, in all databases that run and all their schemas that have its table.
     *
     * @return one place for each time that it is found; what a move has left behind under a fenced schema does not count
     */
    public List<RowPlace> places() {
        return search.places();
    }

    /** Databases of which {@link #places()} says nothing. */
    List<String> stopped() {
        return search.stopped();
    }

    boolean isSharded() {
        return table.sharded();
    }

    /**
     * The id of a sharded entity's row.
     *
     * @return to be asserted on
     * @throws IllegalStateException if the entity is global, so that its id names no shard
     */
    public IdInCluster id() {
        if (table.sharded() && id instanceof Number number) {
            return new IdInCluster(number.longValue(), cluster, tables);
        }
        throw new IllegalStateException(this + " is a global entity: its id names no shard.");
    }

    @Override
    public RowAssert assertThat() {
        return new RowAssert(this);
    }

    /** As messages name it: the entity and its id. */
    @Override
    public String toString() {
        return table.entity() + " " + id;
    }
}
