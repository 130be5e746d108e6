package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.MissingShards;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.internal.connection.Databases;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The shards of a set by their databases, cut into pieces of which each is one statement. The same set is
 * always cut in the same way, so that the statements are the same and stay prepared: planning is three quarters
 * of the cost of a statement for many shards.
 */
final class ShardChunks {
    private ShardChunks() {}

    /**
     * The shards of one database that one statement asks.
     *
     * @param number its position among all, by which equal rows are ordered
     * @param database where they are asked
     * @param shards the numbers of the shards
     */
    public record Chunk(int number, String database, List<Integer> shards) {
        @Override
        public String toString() {
            return "the shards " + ranges(shards) + " of database " + database;
        }
    }

    /** Returns the shards as ranges, for messages. */
    public static ShardRanges ranges(List<Integer> shards) {
        return ShardRanges.of(shards.stream().mapToInt(Integer::intValue).toArray());
    }

    /**
     * Returns the chunks by database; each worker takes from its database's queue.
     *
     * @param size the most shards of a chunk
     * @param leftOut shards that are not asked
     */
    static SortedMap<String, Queue<Chunk>> of(ShardSet set, int size, Databases databases, Set<Integer> leftOut)
            throws DatabaseUnavailableException {
        SortedMap<String, List<Integer>> homes = homes(set, databases);
        SortedMap<String, Queue<Chunk>> chunks = new TreeMap<>();
        int number = 0;
        for (Map.Entry<String, List<Integer>> home : homes.entrySet()) {
            Queue<Chunk> queue = new ConcurrentLinkedQueue<>();
            List<Integer> shards = home.getValue();
            shards.removeAll(leftOut);
            for (int from = 0; from < shards.size(); from += size) {
                List<Integer> part = List.copyOf(shards.subList(from, Math.min(from + size, shards.size())));
                queue.add(new Chunk(number++, home.getKey(), part));
            }
            chunks.put(home.getKey(), queue);
        }
        return chunks;
    }

    /**
     * Returns the shards by database, by one map. If a database of some is unknown, the databases are asked
     * again.
     *
     * @throws DatabaseUnavailableException if it is still unknown, and the caller has not allowed that shards
     *     are left out
     */
    static SortedMap<String, List<Integer>> homes(ShardSet set, Databases databases)
            throws DatabaseUnavailableException {
        List<Integer> away = unowned(set, databases.cluster().map().forAllShards());
        if (!away.isEmpty()) {
            try {
                databases.databaseOf(away.get(0)); // refreshes the map, at most once a second
            } catch (DatabaseUnavailableException stillUnknown) {
                // the map tells, of all shards
            }
        }
        ShardMap map = databases.map();
        List<Integer> stillAway = unowned(set, map);
        if (!stillAway.isEmpty()) {
            leaveOut(stillAway, set, map);
        }
        Set<Integer> leftOut = Set.copyOf(stillAway);
        SortedMap<String, List<Integer>> homes = new TreeMap<>();
        set.shards(map).filter(shard -> !leftOut.contains(shard)).forEach(shard -> homes.computeIfAbsent(
                        map.databaseOf(shard), name -> new ArrayList<>())
                .add(shard));
        return homes;
    }

    /** Returns the shards of a set of which a map knows no database. */
    private static List<Integer> unowned(ShardSet set, ShardMap map) {
        int[] unowned = map.unownedShards();
        return unowned.length == 0
                ? List.of()
                : set.shards(map)
                        .filter(shard -> Arrays.binarySearch(unowned, shard) >= 0)
                        .boxed()
                        .toList();
    }

    /** Reports the shards whose database is unknown, or fails. */
    private static void leaveOut(List<Integer> shards, ShardSet set, ShardMap map) throws DatabaseUnavailableException {
        MissingShards report = set.missing();
        String unowned = shards.stream()
                .map(map::unownedBecause)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        if (report == null) {
            String reason = unowned != null
                    ? ", and nothing was sent. " + unowned
                    : ": the databases " + map.unreachableDatabases()
                            + " could not be asked what they own, and no other owns the shards " + ranges(shards)
                            + ". Nothing was sent. Bring them back, or ask for what can be reached:"
                            + " ShardSet.withoutUnreachable.";
            throw new DatabaseUnavailableException("A query over " + set + " cannot be complete" + reason, null);
        }
        report.add(
                shards,
                unowned != null
                        ? unowned
                        : "on one of the databases " + map.unreachableDatabases() + ", which could not be asked");
    }
}
