package io.github.shardedid.routing.internal.sql;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The columns, by table, that hold ids of the row's own shard: two rows with equal values in two of them are in
 * one shard. Safe for use by several threads.
 *
 * <p>No catalog says so: a foreign key would not tell a column of the row's own shard from one of another. The
 * mappings say it, or the application by {@code RoutingDataSource.declareColocated}.
 */
public final class ColocatedColumns {
    /** Replaced as a whole, so that readers need no lock. */
    private volatile Map<String, Set<String>> columns = Map.of();

    /**
     * Adds columns to those that are known.
     *
     * @param more the names of columns by those of tables, as PostgreSQL stores both
     */
    public synchronized void add(Map<String, Set<String>> more) {
        Map<String, Set<String>> all = new HashMap<>(columns);
        more.forEach((table, names) -> all.merge(table, Set.copyOf(names), (a, b) -> {
            Set<String> union = new HashSet<>(a);
            union.addAll(b);
            return Set.copyOf(union);
        }));
        columns = Map.copyOf(all);
    }

    public boolean areNone() {
        return columns.isEmpty();
    }

    /** Returns the columns of a table; empty if none are known. */
    public Set<String> of(String table) {
        return columns.getOrDefault(table, Set.of());
    }
}
