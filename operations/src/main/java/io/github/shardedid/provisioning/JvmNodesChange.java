package io.github.shardedid.provisioning;

import io.github.shardedid.provisioning.internal.nodes.NodesChange;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/**
 * Changes {@code jvm-nodes}, among how many JVM nodes the upper half of the sequence is divided, on a living cluster: the
 * application goes on making ids meanwhile, and none of them comes twice. Safe for use by several threads; two runs at once
 * exclude each other.
 *
 * <ol>
 *   <li>All databases are looked at. Nothing is changed anywhere if one cannot be reached or anything is wrong.
 *   <li>Each database notes what is changed to. From then on none grants a lease: JVMs use up the windows that they have, 5
 *       minutes at most, and then ask the database for ids.
 *   <li>To 0: the windows of all leases are waited for. From 0: transactions that were open are waited for, since they may be
 *       within a call that makes ids of the whole sequence.
 *   <li>Each database stores the new number and replaces its functions. After a change from 0 nodes are leased 5 minutes
 *       later.
 * </ol>
 *
 * <p>Afterwards the instances of the application are restarted with the new number, in any order and at leisure: those with
 * the old one get no leases, and go on with ids made by the database.
 *
 * <p>Each step can be killed at any point: the same change, run again, goes on. There is no way back but to the end and
 * then to the old number by another change.
 */
public final class JvmNodesChange {
    /** Long enough for the longest lease, and for transactions of some minutes. */
    public static final Duration DEFAULT_WAIT = Duration.ofMinutes(15);

    private final NodesChange change;

    /**
     * Prepares a change; no database is asked yet.
     *
     * @param definition what is configured of the cluster. Its number of JVM nodes does not matter
     * @param databases all databases of the cluster by the names of the definition. One connection to each is used from
     *     the beginning to the end, and given back as it was; its user must be the one that provisioned. Session-level
     *     advisory locks must work: no transaction pooling in between
     * @throws IllegalArgumentException if the names are not those of the definition
     */
    public JvmNodesChange(ClusterDefinition definition, Map<String, ? extends DataSource> databases) {
        if (!definition.initialShards().keySet().equals(databases.keySet())) {
            throw new IllegalArgumentException("The cluster's databases are "
                    + definition.initialShards().keySet() + ", but there are data sources for " + databases.keySet()
                    + ".");
        }
        this.change = new NodesChange(definition, new TreeMap<>(databases));
    }

    /**
     * Makes the change, or goes on with it; does nothing if all databases are there already.
     *
     * @param jvmNodes the new number: 0 or a power of two up to half of the layout's sequence
     * @param wait how long to wait for leases, transactions and locks in the way, all in all; zero or more
     * @throws IllegalArgumentException if the layout cannot have so many nodes
     * @throws DatabasesUnreachableException if a database cannot be reached, or is not configured
     * @throws UnprovisionedException if a database was never provisioned
     * @throws JvmNodesChangeRefusedException if a change to another number has begun, another run is at work, or a shard is
     *     being moved
     * @throws JvmNodesChangeUnfinishedException if the time was up or a database failed on the way
     * @throws io.github.shardedid.ShardedIdException as {@link Provisioner#check()} does, if what is there is not as it
     *     should be
     */
    public void run(int jvmNodes, Duration wait) {
        change.run(jvmNodes, wait);
    }
}
