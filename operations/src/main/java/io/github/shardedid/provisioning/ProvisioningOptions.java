package io.github.shardedid.provisioning;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Options of a provisioner. Immutable and safe for use by several threads.
 *
 * @param connectionsPerDatabase how many connections to each database are used at once, 1 to 64; fewer if the pool
 *     gives fewer
 * @param idConstraints whether columns with ids get check constraints that refuse ids of another shard: the keys that
 *     {@code next_id} generates, and {@code colocated}. Existing constraints stay if it is switched off
 * @param colocated by table, the columns with ids of the row's own shard, both as PostgreSQL stores their names
 * @param roles are granted what they need
 */
public record ProvisioningOptions(
        int connectionsPerDatabase, boolean idConstraints, Map<String, Set<String>> colocated, ClusterRoles roles) {
    /** Two connections per database; creates constraints on keys, and grants nothing. */
    public static final ProvisioningOptions DEFAULT = new ProvisioningOptions(2, true, Map.of(), ClusterRoles.NONE);

    private static final int MOST_CONNECTIONS = 64;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the number of connections is out of range
     */
    public ProvisioningOptions {
        if (connectionsPerDatabase < 1 || connectionsPerDatabase > MOST_CONNECTIONS) {
            throw new IllegalArgumentException("Provisioning needs 1 to " + MOST_CONNECTIONS
                    + " connections per database, not " + connectionsPerDatabase + ".");
        }
        Map<String, Set<String>> copy = new HashMap<>();
        colocated.forEach((table, columns) -> copy.put(table, Set.copyOf(columns)));
        colocated = Map.copyOf(copy);
        Objects.requireNonNull(roles);
    }

    /**
     * Returns the same options with further columns that get constraints on ids.
     *
     * @param columns by table, those with ids of the row's own shard, as {@link
     *     io.github.shardedid.routing.RoutingDataSource#declareColocated} has them
     * @return new options
     */
    public ProvisioningOptions withColocated(Map<String, Set<String>> columns) {
        Map<String, Set<String>> all = new HashMap<>(colocated);
        columns.forEach((table, names) -> all.merge(table, names, (one, other) -> {
            Set<String> union = new HashSet<>(one);
            union.addAll(other);
            return union;
        }));
        return new ProvisioningOptions(connectionsPerDatabase, idConstraints, all, roles);
    }
}
