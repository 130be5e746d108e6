package io.github.shardedid.provisioning;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a shard stands. Immutable.
 *
 * @param shard the logical shard
 * @param database the configured name of the database that serves it
 * @param state of the row in {@code sharded_id.shard}, {@code ACTIVE} for instance
 * @param version of the last versioned script that succeeded, as its file has it; null if none has run
 * @param upToDate whether all scripts of the application that asks have run
 * @param failedScripts files of scripts that failed and are to be repaired, in the order in which they ran
 * @param differences what its structure has more or less than that of most shards, in words; empty if it is like them
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
     * Whether there is nothing to be said about it.
     *
     * @return true if it is up to date, without failed scripts, and like most
     */
    public boolean inOrder() {
        return upToDate && failedScripts.isEmpty() && differences.isEmpty();
    }
}
