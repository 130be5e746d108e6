package io.github.shardedid.jobs.internal;

import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.UnownedShardException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The order of a job's shards: one of each database after the other, so that all databases have work. */
public final class JobOrder {
    private JobOrder() {}

    /** The shards that are not done; those whose database is unknown are last. */
    public static List<Integer> of(ShardMap map, BitSet done) {
        Map<String, Deque<Integer>> byDatabase = new LinkedHashMap<>();
        List<Integer> unowned = new ArrayList<>();
        for (int shard = done.nextClearBit(0); shard < map.shardCount(); shard = done.nextClearBit(shard + 1)) {
            try {
                byDatabase
                        .computeIfAbsent(map.databaseOf(shard), name -> new ArrayDeque<>())
                        .add(shard);
            } catch (UnownedShardException e) {
                unowned.add(shard); // its work fails, and says why
            }
        }
        List<Integer> order = new ArrayList<>();
        while (!byDatabase.isEmpty()) {
            byDatabase.values().forEach(shards -> order.add(shards.remove()));
            byDatabase.values().removeIf(Deque::isEmpty);
        }
        order.addAll(unowned);
        return order;
    }
}
