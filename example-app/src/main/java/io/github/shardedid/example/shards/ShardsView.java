package io.github.shardedid.example.shards;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A summary of the shard map.
 *
 * @param shards the number of logical shards
 * @param epoch the instant of timestamp 0
 * @param bits the widths of timestamp, shard and sequence
 * @param databases the databases, ordered by name
 * @param unowned the unowned shards as ranges, because their database could not be reached; usually empty
 */
public record ShardsView(int shards, Instant epoch, List<Integer> bits, List<Database> databases, String unowned) {
    /**
     * A database and its shards.
     *
     * @param name its name in the configuration
     * @param address host, port and name of the database
     * @param ranges its shards as ranges, such as {@code 0-21}
     * @param count the number of its shards
     */
    public record Database(String name, String address, String ranges, int count) {}

    static ShardsView of(Cluster cluster, Map<String, String> addresses) {
        IdLayout layout = cluster.layout();
        ShardMap map = cluster.map().get();
        return new ShardsView(
                cluster.shardCount(),
                layout.epoch(),
                List.of(layout.timestampBits(), layout.shardBits(), layout.sequenceBits()),
                addresses.entrySet().stream()
                        .map(database -> database(database.getKey(), database.getValue(), map))
                        .toList(),
                ShardRanges.of(map.unownedShards()).toString());
    }

    private static Database database(String name, String address, ShardMap map) {
        int[] shards = map.shardsOf(name);
        return new Database(name, address, ShardRanges.of(shards).toString(), shards.length);
    }
}
