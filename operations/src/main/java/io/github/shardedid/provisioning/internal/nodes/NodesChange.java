package io.github.shardedid.provisioning.internal.nodes;

import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.LockedConnections;
import io.github.shardedid.operations.internal.schema.FunctionSql;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.nodes.JvmNodesChangeUnfinishedException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A change of the number of JVM nodes in all databases, step by step. After each step, no id can be generated twice, and the same
 * change can be run again to continue.
 */
public final class NodesChange {
    /** Long enough for the longest lease, and for transactions of some minutes. */
    public static final Duration DEFAULT_WAIT = Duration.ofMinutes(15);

    private static final Logger LOG = LoggerFactory.getLogger(NodesChange.class);

    private final ClusterDefinition definition;
    private final Map<String, ? extends DataSource> databases;
    private final String clock;

    /** A change on the server's own clock. */
    public NodesChange(ClusterDefinition definition, Map<String, ? extends DataSource> databases) {
        this(definition, databases, FunctionSql.CLOCK);
    }

    /** A change in databases whose functions have another clock than the server's. */
    public NodesChange(ClusterDefinition definition, Map<String, ? extends DataSource> databases, String clock) {
        this.definition = definition;
        this.databases = databases;
        this.clock = clock;
    }

    /** Makes the change, or continues it; see {@link io.github.shardedid.provisioning.nodes.JvmNodesChange}. */
    public void run(int nodes, Duration wait) {
        int checked = definition.layout().withJvmNodes(nodes).jvmNodes();
        try (LockedConnections locked = LockedDatabases.open(databases)) {
            List<ChangingDatabase> changing =
                    new ChangePreconditions(definition, clock, checked).changing(locked.all());
            long earliest = changing.stream()
                    .mapToLong(database -> database.before().earliest())
                    .max()
                    .orElse(0);
            if (changing.stream()
                    .allMatch(database ->
                            database.isAt(checked) && database.before().earliest() == earliest)) {
                LOG.info("jvm-nodes is {} already in the databases {}", checked, databases.keySet());
                return;
            }
            change(changing, checked, earliest, new ChangeTimeout(wait));
        }
    }

    private static void change(List<ChangingDatabase> changing, int nodes, long stored, ChangeTimeout timeout) {
        LOG.info("Changing jvm-nodes to {}", nodes);
        onEach(changing, database -> database.begin(nodes));
        long[] earliest = {stored};
        if (nodes == 0) {
            onEach(changing, database -> earliest[0] = Math.max(earliest[0], database.closeLeases(timeout)));
            LOG.info("All leases are closed; the last window ends at timestamp {}", earliest[0]);
            onEach(changing, database -> database.awaitPresent(earliest[0], timeout));
        } else {
            onEach(changing, database -> database.awaitOldCalls(timeout));
        }
        onEach(changing, database -> database.finish(nodes, earliest[0], timeout));
        LOG.info("jvm-nodes is {} now: configure it, and restart the instances of the application", nodes);
    }

    private interface Step {
        void on(ChangingDatabase database) throws SQLException;
    }

    private static void onEach(List<ChangingDatabase> changing, Step step) {
        for (ChangingDatabase database : changing) {
            try {
                step.on(database);
            } catch (SQLException e) {
                throw new JvmNodesChangeUnfinishedException(
                        "Database " + database.name() + " failed within the change of jvm-nodes: " + FailureReason.of(e)
                                + ". Ids are made as before, but no JVM gets a lease. Remove the cause and run the change"
                                + " again to go on.",
                        e);
            }
        }
    }
}
