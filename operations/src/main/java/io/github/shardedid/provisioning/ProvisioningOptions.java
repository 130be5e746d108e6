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
 * @param whenBusy what is done about a database that another instance is provisioning
 * @param idConstraints whether columns with ids get check constraints that refuse ids of another shard: the keys that
 *     {@code next_id} generates, and {@code colocated}. Existing constraints stay if it is switched off
 * @param colocated by table, the columns with ids of the row's own shard, both as PostgreSQL stores their names
 * @param listener receives the progress, which is logged in any case
 * @param roles are granted what they need
 */
public record ProvisioningOptions(
        int connectionsPerDatabase,
        WhenBusy whenBusy,
        boolean idConstraints,
        Map<String, Set<String>> colocated,
        ProvisioningListener listener,
        ClusterRoles roles) {
    /** Two connections per database; waits for other instances; creates constraints on keys, and grants nothing. */
    public static final ProvisioningOptions DEFAULT =
            new ProvisioningOptions(2, WhenBusy.WAIT, true, Map.of(), ProvisioningListener.none(), ClusterRoles.NONE);

    private static final int MOST_CONNECTIONS = 64;

    /** The behavior towards a database that another instance is provisioning, if something is missing there. */
    public enum WhenBusy {
        /** Waits until the other instance has finished, and does what is left. */
        WAIT,
        /**
         * Continues at once if every shard has its schema, and waits otherwise. Migrations may be
         * missing in shards for a while.
         */
        GO_ON,
        /** Fails with a {@link ProvisioningRefusedException}. */
        FAIL
    }

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
        Objects.requireNonNull(whenBusy);
        Map<String, Set<String>> copy = new HashMap<>();
        colocated.forEach((table, columns) -> copy.put(table, Set.copyOf(columns)));
        colocated = Map.copyOf(copy);
        Objects.requireNonNull(listener);
        Objects.requireNonNull(roles);
    }

    /**
     * Returns the same options with another number of connections.
     *
     * @param connections to each database, 1 to 64
     * @return new options
     * @throws IllegalArgumentException if the number is out of range
     */
    public ProvisioningOptions withConnectionsPerDatabase(int connections) {
        return new ProvisioningOptions(connections, whenBusy, idConstraints, colocated, listener, roles);
    }

    /**
     * Returns the same options with another behavior towards other instances.
     *
     * @param answer what is done about them
     * @return new options
     */
    public ProvisioningOptions withWhenBusy(WhenBusy answer) {
        return new ProvisioningOptions(connectionsPerDatabase, answer, idConstraints, colocated, listener, roles);
    }

    /**
     * Returns the same options with or without constraints on ids.
     *
     * @param wanted whether tables get them
     * @return new options
     */
    public ProvisioningOptions withIdConstraints(boolean wanted) {
        return new ProvisioningOptions(connectionsPerDatabase, whenBusy, wanted, colocated, listener, roles);
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
        return new ProvisioningOptions(connectionsPerDatabase, whenBusy, idConstraints, all, listener, roles);
    }

    /**
     * Returns the same options with another listener.
     *
     * @param other receives the progress
     * @return new options
     */
    public ProvisioningOptions withListener(ProvisioningListener other) {
        return new ProvisioningOptions(connectionsPerDatabase, whenBusy, idConstraints, colocated, other, roles);
    }

    /**
     * Returns the same options with other roles.
     *
     * @param others are granted what they need in all databases, at each run
     * @return new options
     */
    public ProvisioningOptions withRoles(ClusterRoles others) {
        return new ProvisioningOptions(connectionsPerDatabase, whenBusy, idConstraints, colocated, listener, others);
    }
}
