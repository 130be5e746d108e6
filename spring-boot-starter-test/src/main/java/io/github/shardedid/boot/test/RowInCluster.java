package io.github.shardedid.boot.test;

import io.github.shardedid.topology.Cluster;
import java.util.List;
import org.assertj.core.api.AssertProvider;

/** The row of an entity in the cluster, for assertions. */
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
     * Searches for the row in all running databases, in all schemas that have its table.
     *
     * @return one location for each row found; fenced schemas, which remain after a move, are ignored
     */
    public List<RowLocation> locations() {
        return search.locations();
    }

    /** The stopped databases, which {@link #locations()} does not search. */
    List<String> stopped() {
        return search.stopped();
    }

    boolean isSharded() {
        return table.sharded();
    }

    /**
     * The id of a sharded entity's row.
     *
     * @return the id, for assertions
     * @throws IllegalStateException if the entity is global, so that its id contains no shard
     */
    public IdInCluster id() {
        if (table.sharded() && id instanceof Number number) {
            return new IdInCluster(number.longValue(), cluster, tables);
        }
        throw new IllegalStateException(this + " is a global entity: its id contains no shard.");
    }

    @Override
    public RowAssert assertThat() {
        return new RowAssert(this);
    }

    /** The description in messages: the entity and its id. */
    @Override
    public String toString() {
        return table.entity() + " " + id;
    }
}
