package io.github.shardedid.provisioning.internal.inspection;

import io.github.shardedid.operations.internal.schema.StoredCluster;
import io.github.shardedid.provisioning.internal.parallel.EveryDatabase.Answers;
import io.github.shardedid.provisioning.nodes.JvmNodesChangeRefusedException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The states of all databases, checked against the configuration.
 *
 * @param states of the databases that were reached
 * @param down the others, each with a reason
 */
public record ClusterPicture(Collection<DatabaseState> states, Map<String, String> down) {
    public static ClusterPicture of(Answers<DatabaseState> answers) {
        return new ClusterPicture(answers.results().values(), answers.unreachable());
    }

    public boolean established() {
        return states.stream().anyMatch(DatabaseState::provisioned);
    }

    /** The id that some database has stored, or null. */
    @Nullable
    public UUID clusterId() {
        return clusters().map(StoredCluster::clusterId).findFirst().orElse(null);
    }

    private Stream<StoredCluster> clusters() {
        return states.stream().map(DatabaseState::cluster).flatMap(Stream::ofNullable);
    }

    /** The timestamp before which no database generates an id. */
    public long earliest() {
        return clusters().mapToLong(StoredCluster::earliest).max().orElse(0);
    }

    /** The databases in which the number of JVM nodes is being changed, each with the new number. */
    public Map<String, Integer> changing() {
        Map<String, Integer> changing = new TreeMap<>();
        for (DatabaseState state : states) {
            StoredCluster stored = state.cluster();
            if (stored != null && stored.changingTo() != null) {
                changing.put(state.name(), stored.changingTo());
            }
        }
        return changing;
    }

    /** A new database cannot join before the change is complete, since its settings are not known until then. */
    public void requireNoChange(Set<String> outside) {
        if (!changing().isEmpty()) {
            throw new JvmNodesChangeRefusedException(
                    "The databases " + outside + " cannot be added to the cluster while"
                            + " jvm-nodes is being changed, in these databases to: " + changing()
                            + ". Run the change to"
                            + " its end first; nothing was changed.");
        }
    }
}
