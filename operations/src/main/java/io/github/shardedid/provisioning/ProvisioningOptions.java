package io.github.shardedid.provisioning;

import java.util.Objects;

/**
 * How a provisioner works. Immutable and safe for use by several threads.
 *
 * @param connectionsPerDatabase how many connections to each database work at once, 1 to 64; where the pool gives fewer, with
 *     those
 * @param whenBusy what is done about a database in which another instance is at work
 * @param idConstraints whether each shard's table whose ids are made by {@code next_id} gets a check constraint that refuses ids of
 *     another shard. Those that are there stay if it is switched off
 * @param listener is told of the progress, which is logged in any case
 * @param roles are granted what they need
 */
public record ProvisioningOptions(
        int connectionsPerDatabase,
        WhenBusy whenBusy,
        boolean idConstraints,
        ProvisioningListener listener,
        ClusterRoles roles) {
    /** Two connections per database; waits for other instances; makes no constraints, and grants nothing to anybody. */
    public static final ProvisioningOptions DEFAULT =
            new ProvisioningOptions(2, WhenBusy.WAIT, false, ProvisioningListener.none(), ClusterRoles.NONE);

    private static final int MOST_CONNECTIONS = 64;

    /** What is done about a database in which another instance is at work, while there is something to be done. */
    public enum WhenBusy {
        /** Waits until the other one has finished, and does what is left. */
        WAIT,
        /**
         * Leaves the work to the other one and goes on at once, if every shard has its schema; waits otherwise. Migrations may be
         * missing in shards for a while.
         */
        GO_ON,
        /** Fails with a {@link ProvisioningBusyException}. */
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
        Objects.requireNonNull(listener);
        Objects.requireNonNull(roles);
    }

    /**
     * The same with another number of connections.
     *
     * @param connections to each database, 1 to 64
     * @return new options
     * @throws IllegalArgumentException if the number is out of range
     */
    public ProvisioningOptions withConnectionsPerDatabase(int connections) {
        return new ProvisioningOptions(connections, whenBusy, idConstraints, listener, roles);
    }

    /**
     * The same with another answer to other instances.
     *
     * @param answer what to do about them
     * @return new options
     */
    public ProvisioningOptions withWhenBusy(WhenBusy answer) {
        return new ProvisioningOptions(connectionsPerDatabase, answer, idConstraints, listener, roles);
    }

    /**
     * The same with or without constraints on ids.
     *
     * @param wanted whether tables get them
     * @return new options
     */
    public ProvisioningOptions withIdConstraints(boolean wanted) {
        return new ProvisioningOptions(connectionsPerDatabase, whenBusy, wanted, listener, roles);
    }

    /**
     * The same with another listener.
     *
     * @param other is told of the progress
     * @return new options
     */
    public ProvisioningOptions withListener(ProvisioningListener other) {
        return new ProvisioningOptions(connectionsPerDatabase, whenBusy, idConstraints, other, roles);
    }

    /**
     * The same with roles.
     *
     * @param others are granted what they need in all databases, at each run
     * @return new options
     */
    public ProvisioningOptions withRoles(ClusterRoles others) {
        return new ProvisioningOptions(connectionsPerDatabase, whenBusy, idConstraints, listener, others);
    }
}
