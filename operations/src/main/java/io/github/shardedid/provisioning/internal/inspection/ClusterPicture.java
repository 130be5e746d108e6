package io.github.shardedid.provisioning.internal.inspection;

import io.github.shardedid.operations.internal.schema.StoredCluster;
import io.github.shardedid.provisioning.internal.parallel.EveryDatabase.Answers;
import java.util.Collection;
import java.util.Map;
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
}
