package io.github.shardedid.provisioning;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of a shard. Immutable.
 *
 * @param shard the logical shard
 * @param database the configured name of the database that serves it
 * @param state of the row in {@code sharded_id.shard}, for example {@code ACTIVE}
 * @param version of the last versioned script that succeeded; with a change log of Liquibase, the path, id and author of the last
 *     change set; null if none has run
 * @param upToDate whether all scripts of the inspecting application have run
 * @param failedScripts files of scripts that failed and are to be repaired, in the order in which they ran
 * @param differences from the structure of most shards, as text; empty if there are none
 */
public record ShardStatus(
        int shard,
        String database,
        String state,
        @Nullable String version,
        boolean upToDate,
        List<String> failedScripts,
        List<String> differences) {
    /** Copies the lists. */
    public ShardStatus {
        failedScripts = List.copyOf(failedScripts);
        differences = List.copyOf(differences);
    }

    /**
     * Returns whether nothing is to be done.
     *
     * @return true if it is up to date, has no failed scripts, and has the structure of most shards
     */
    public boolean inOrder() {
        return upToDate && failedScripts.isEmpty() && differences.isEmpty();
    }
}
