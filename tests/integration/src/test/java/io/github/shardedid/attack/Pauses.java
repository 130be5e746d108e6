package io.github.shardedid.attack;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** How long calls took, and how long no write of a shard was acknowledged, as its callers saw it. */
final class Pauses {
    private static final long[] MILLIS = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};

    private final Map<Integer, long[]> writes = new TreeMap<>();
    private final Map<Integer, long[]> reads = new TreeMap<>();
    private final Map<Integer, Long> longest = new TreeMap<>();
    private final Map<Integer, List<Long>> ends = new TreeMap<>();

    void add(Deed deed) {
        int shard = Math.toIntExact(deed.numbers().get(0));
        long micros = deed.numbers().get(2);
        boolean write = deed.kind() == Deed.Kind.WRITE;
        long[] counts = (write ? writes : reads).computeIfAbsent(shard, unused -> new long[MILLIS.length + 1]);
        int bucket = Arrays.binarySearch(MILLIS, (micros + 999) / 1000);
        counts[bucket < 0 ? -bucket - 1 : bucket]++;
        if (write) {
            longest.merge(shard, micros / 1000, Math::max);
            ends.computeIfAbsent(shard, unused -> new ArrayList<>())
                    .add(deed.numbers().get(1));
        }
    }

    /** The longest write of these shards, in milliseconds. */
    long longestWrite(Set<Integer> shards) {
        return shards.stream()
                .mapToLong(shard -> longest.getOrDefault(shard, 0L))
                .max()
                .orElse(0);
    }

    /** The longest time without an acknowledged write of one of the shards, in milliseconds. */
    long longestGap(Set<Integer> shards) {
        return shards.stream().mapToLong(this::gap).max().orElse(0);
    }

    private long gap(int shard) {
        List<Long> all = new ArrayList<>(ends.getOrDefault(shard, List.of()));
        Collections.sort(all);
        long gap = 0;
        for (int i = 1; i < all.size(); i++) {
            gap = Math.max(gap, all.get(i) - all.get(i - 1));
        }
        return gap;
    }

    /** A table of the calls of shards that have moved, and of the others. */
    String table(Set<Integer> moved) {
        StringBuilder table = new StringBuilder("| up to ms |");
        for (long millis : MILLIS) {
            table.append(' ').append(millis).append(" |");
        }
        table.append(" more | longest | longest gap |\n");
        Set<Integer> others = new java.util.TreeSet<>(writes.keySet());
        others.removeAll(moved);
        row(table, "writes, moved", writes, moved);
        row(table, "writes, others", writes, others);
        row(table, "reads, moved", reads, moved);
        row(table, "reads, others", reads, others);
        row(table, "queries over all", reads, Set.of(LoadOptions.SHARDS));
        return table.toString();
    }

    private void row(StringBuilder table, String name, Map<Integer, long[]> counts, Set<Integer> shards) {
        long[] sum = new long[MILLIS.length + 1];
        for (int shard : shards) {
            long[] some = counts.getOrDefault(shard, new long[MILLIS.length + 1]);
            Arrays.setAll(sum, i -> sum[i] + some[i]);
        }
        table.append("| ").append(name).append(" |");
        for (long count : sum) {
            table.append(' ').append(count).append(" |");
        }
        boolean write = counts == writes;
        table.append(write ? " " + longestWrite(shards) + " | " + longestGap(shards) + " |\n" : " | |\n");
    }
}
