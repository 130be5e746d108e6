package io.github.shardedid.provisioning;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.ShardRanges;
import io.github.shardedid.topology.UnknownShardException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The configuration of a cluster. Immutable.
 *
 * @param layout how ids are divided; permanent
 * @param shardCount the number of logical shards, 1 or more. A larger one than the databases store adds shards; a smaller one is refused
 * @param initialShards by database name, in configured order: the shards that each database gets when the cluster is
 *     first provisioned, or when more are added. Otherwise only the names count, since the databases store what they own
 */
public record ClusterDefinition(IdLayout layout, int shardCount, Map<String, ShardRanges> initialShards) {
    /**
     * Checks that the layout can number the shards, and that there is a database.
     *
     * @throws UnknownShardException if there are more shards than the layout has bits for
     * @throws IllegalArgumentException if there is no shard or no database
     */
    public ClusterDefinition {
        initialShards = Collections.unmodifiableMap(new LinkedHashMap<>(initialShards));
        if (shardCount < 1 || initialShards.isEmpty()) {
            throw new IllegalArgumentException("A cluster needs at least one shard and one database, not " + shardCount
                    + " shards on the databases " + initialShards.keySet() + ".");
        }
        if (shardCount > layout.maxShards()) {
            throw new UnknownShardException(
                    "The layout " + layout + " can number " + layout.maxShards() + " shards, not " + shardCount + ".");
        }
    }
}
