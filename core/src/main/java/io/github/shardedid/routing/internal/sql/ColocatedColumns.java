package io.github.shardedid.routing.internal.sql;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The columns, by table, that hold ids of the row's own shard: two rows with equal values in two of them are in
 * one shard. Safe for use by several threads.
 *
 * <p>No catalog says so: a foreign key would not tell a column of the row's own shard from one of another. The
 * mappings say it, or the application by {@code RoutingDataSource.declareColocated}.
 */
public final class ColocatedColumns {
    private final Map<String, Set<String>> columns = new ConcurrentHashMap<>();

    /**
     * Adds columns to those that are known.
     *
     * @param more the names of columns by those of tables, as PostgreSQL stores both
     */
    public void add(Map<String, Set<String>> more) {
        more.forEach((table, names) -> columns.merge(table, Set.copyOf(names), (a, b) -> {
            Set<String> union = new HashSet<>(a);
            union.addAll(b);
            return Set.copyOf(union);
        }));
    }

    public boolean areNone() {
        return columns.isEmpty();
    }

    /** Returns the columns of a table; empty if none are known. */
    public Set<String> of(String table) {
        return columns.getOrDefault(table, Set.of());
    }
}
