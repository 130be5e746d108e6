package io.github.shardedid.provisioning;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Options of a provisioner. Immutable and safe for use by several threads.
 *
 * @param idConstraints whether columns with ids get check constraints that refuse ids of another shard: the keys that
 *     {@code next_id} generates, and {@code colocated}. Existing constraints stay if it is switched off
 * @param colocated by table, the columns with ids of the row's own shard, both as PostgreSQL stores their names
 * @param roles are granted what they need
 */
public record ProvisioningOptions(boolean idConstraints, Map<String, Set<String>> colocated, ClusterRoles roles) {
    /** Creates constraints on keys, and grants nothing. */
    public static final ProvisioningOptions DEFAULT = new ProvisioningOptions(true, Map.of(), ClusterRoles.NONE);

    /** Copies the columns. */
    public ProvisioningOptions {
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
        columns.forEach((table, names) -> all.merge(table, names, (one, other) -> Stream.of(one, other)
                .flatMap(Set::stream)
                .collect(Collectors.toSet())));
        return new ProvisioningOptions(idConstraints, all, roles);
    }
}
