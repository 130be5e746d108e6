package io.github.shardedid.provisioning.nodes;

import io.github.shardedid.operations.internal.DatabaseNames;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabasesUnreachableException;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.UnprovisionedException;
import io.github.shardedid.provisioning.internal.nodes.NodesChange;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/**
 * Changes {@code jvm-nodes}, the number of JVM nodes among which the upper half of the sequence is divided, of a
 * running cluster. The application continues to generate ids, and no id is generated twice. Safe for use by several
 * threads; two runs at the same time exclude each other.
 *
 * <ol>
 *   <li>All databases are inspected. Nothing is changed if one cannot be reached or does not match the configuration.
 *   <li>Each database stores the new number. From then on none grants a lease: JVMs use up the windows of their
 *       leases, 5 minutes or less, and then ask the database for ids.
 *   <li>To 0: waits for the end of the windows of all leases. From 0: waits for the transactions that were open,
 *       since they may be within a call that generates ids of the whole sequence.
 *   <li>Each database replaces its functions. After a change from 0, nodes are leased 5 minutes later.
 * </ol>
 *
 * <p>Then restart the instances of the application with the new number, in any order and at any time: those with the
 * old number get no leases, and use ids of the database.
 *
 * <p>A run can be killed at any point: the same change, run again, continues. It cannot be undone half way: complete
 * it, then change back to the old number.
 */
public final class JvmNodesChange {
    /** Long enough for the longest lease, and for transactions of some minutes. */
    public static final Duration DEFAULT_WAIT = NodesChange.DEFAULT_WAIT;

    private final NodesChange change;

    /**
     * Prepares a change; no database is asked yet.
     *
     * @param definition the configuration of the cluster. Its number of JVM nodes does not matter
     * @param databases all databases of the cluster by the names of the definition. One connection to each is used
     *     throughout, and returned with its settings restored; its user must be the one that provisioned.
     *     Session-level advisory locks must work: no transaction pooling in between
     * @throws IllegalArgumentException if the names are not those of the definition
     */
    public JvmNodesChange(ClusterDefinition definition, Map<String, ? extends DataSource> databases) {
        DatabaseNames.requireSame(definition.initialShards().keySet(), databases.keySet());
        this.change = new NodesChange(definition, new TreeMap<>(databases));
    }

    /**
     * Makes the change, or continues it; does nothing if all databases have the number already.
     *
     * @param jvmNodes the new number: 0 or a power of two up to half of the layout's sequence
     * @param wait how long to wait for leases, transactions and locks in total; zero or more
     * @throws IllegalArgumentException if the layout cannot have so many nodes
     * @throws DatabasesUnreachableException if a database cannot be reached, or is not configured
     * @throws UnprovisionedException if a database was never provisioned
     * @throws JvmNodesChangeRefusedException if a change to another number has begun, another run is active, or a shard is
     *     being moved
     * @throws JvmNodesChangeUnfinishedException if the time has passed or a database failed
     * @throws io.github.shardedid.ShardedIdException as {@link Provisioner#check()} does, if the databases do not match the
     *     configuration
     */
    public void run(int jvmNodes, Duration wait) {
        change.run(jvmNodes, wait);
    }
}
