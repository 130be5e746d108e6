package io.github.shardedid.provisioning.internal.nodes;

import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.schema.StoredCluster;
import io.github.shardedid.operations.internal.schema.StoredShard;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabasesUnreachableException;
import io.github.shardedid.provisioning.ProvisioningFailedException;
import io.github.shardedid.provisioning.ProvisioningRefusedException;
import io.github.shardedid.provisioning.ProvisioningRefusedException.Reason;
import io.github.shardedid.provisioning.UnprovisionedException;
import io.github.shardedid.provisioning.internal.inspection.ClusterValidation;
import io.github.shardedid.provisioning.internal.inspection.DatabaseInspection;
import io.github.shardedid.provisioning.internal.inspection.DatabaseState;
import io.github.shardedid.provisioning.nodes.JvmNodesChangeRefusedException;
import io.github.shardedid.topology.ShardRanges;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The preconditions of a change of the number of JVM nodes. */
final class ChangePreconditions {
    private static final String NOT_OWNED = "SELECT count(*) FROM (SELECT proowner AS owner FROM pg_proc"
            + " WHERE pronamespace = 'sharded_id'::regnamespace UNION SELECT relowner FROM pg_class"
            + " WHERE oid = 'sharded_id.cluster'::regclass OR relname = 'sharded_id_lease' AND relkind = 'r') o"
            + " WHERE NOT pg_has_role(owner, 'USAGE')";

    private final ClusterDefinition definition;
    private final String clock;
    private final int nodes;

    ChangePreconditions(ClusterDefinition definition, String clock, int nodes) {
        this.definition = definition;
        this.clock = clock;
        this.nodes = nodes;
    }

    /** Inspects all databases; throws the exception of the first violated precondition. */
    List<ChangingDatabase> changing(Map<String, Connection> connections) {
        List<DatabaseState> states = new ArrayList<>();
        connections.forEach((name, connection) -> states.add(look(name, connection)));
        ClusterValidation.beforeChange(definition, clock).check(states);
        List<ChangingDatabase> changing = new ArrayList<>();
        for (DatabaseState state : states) {
            StoredCluster stored = state.cluster();
            if (stored == null || !stored.provisioned()) {
                throw new UnprovisionedException("Database " + state.name() + " is not provisioned yet. Start the"
                        + " application once before jvm-nodes is changed; nothing was changed.");
            }
            requireSameTarget(state.name(), stored);
            changing.add(new ChangingDatabase(
                    state.name(), Objects.requireNonNull(connections.get(state.name())), stored, clock));
        }
        requireAllShardsAtHome(states);
        return changing;
    }

    private static DatabaseState look(String name, Connection connection) {
        try {
            DatabaseState state = DatabaseInspection.inspect(name, connection);
            if (state.cluster() != null) {
                requireOwner(state, connection);
            }
            return state;
        } catch (SQLException e) {
            throw new ProvisioningFailedException(
                    "Database " + name + " could not be looked at: " + FailureReason.of(e) + ". Nothing was changed.",
                    e);
        }
    }

    /** Checked before the first step, because only the last one would fail. */
    private static void requireOwner(DatabaseState state, Connection connection) throws SQLException {
        if (Sql.number(connection, NOT_OWNED) > 0) {
            throw new ProvisioningRefusedException(
                    Reason.MISSING_PRIVILEGE,
                    "User " + state.user() + " of database " + state.name() + " does not"
                            + " own the tables and functions of schema sharded_id or the leases of the shards. Change"
                            + " jvm-nodes with the user that provisions; nothing was changed.");
        }
    }

    private void requireSameTarget(String name, StoredCluster stored) {
        Integer other = stored.changingTo();
        if (other != null && other != nodes) {
            throw new JvmNodesChangeRefusedException("In database " + name + " jvm-nodes is being changed from "
                    + stored.layout().jvmNodes() + " to " + other + ", so it cannot be changed to " + nodes
                    + ". Run the change to " + other + " to its end first; nothing was changed.");
        }
    }

    private void requireAllShardsAtHome(List<DatabaseState> states) {
        Set<Integer> unowned = new TreeSet<>();
        IntStream.range(0, definition.shardCount()).forEach(unowned::add);
        for (DatabaseState state : states) {
            for (StoredShard shard : state.shards()) {
                if (shard.moving()) {
                    throw new JvmNodesChangeRefusedException("Shard " + shard.shard() + " is being moved: it is "
                            + shard.state() + " in database " + state.name() + ". Complete the move before jvm-nodes is"
                            + " changed; nothing was changed.");
                }
                if (!shard.state().equals(StoredShard.MOVED)) {
                    unowned.remove(shard.shard());
                }
            }
        }
        if (!unowned.isEmpty()) {
            throw new DatabasesUnreachableException("A change of jvm-nodes needs all databases of the cluster, but none"
                    + " of those configured owns the shards "
                    + ShardRanges.of(
                            unowned.stream().mapToInt(Integer::intValue).toArray())
                    + ". Configure the databases that do; nothing was changed.");
        }
    }
}
