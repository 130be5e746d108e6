package io.github.shardedid.hibernate.internal;

import io.github.shardedid.hibernate.CheckedStart;
import io.github.shardedid.topology.ShardMap;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The shards that the databases own. */
final class ShardsByDatabase {
    private ShardsByDatabase() {}

    /** Without unowned shards, whose database is down; if only one shard has been migrated, only that. */
    static Map<String, List<Integer>> of(ShardMap map, @Nullable CheckedStart start) {
        Integer first = start == null ? null : start.shard();
        if (first != null) {
            return Map.of(map.databaseOf(first), List.of(first));
        }
        Set<Integer> unowned = Arrays.stream(map.unownedShards()).boxed().collect(Collectors.toSet());
        return IntStream.range(0, map.shardCount())
                .boxed()
                .filter(shard -> !unowned.contains(shard))
                .collect(Collectors.groupingBy(map::databaseOf, TreeMap::new, Collectors.toList()));
    }
}
