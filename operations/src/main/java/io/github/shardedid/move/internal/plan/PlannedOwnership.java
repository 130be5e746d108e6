package io.github.shardedid.move.internal.plan;

import io.github.shardedid.move.Balance;
import io.github.shardedid.move.PlannedMove;
import io.github.shardedid.topology.ShardMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Which database owns which shards once the moves planned so far have been made. Not safe for use by several threads. */
final class PlannedOwnership {
    private final ShardMap map;
    private final Map<Integer, Long> sizes;
    private final Map<String, Set<Integer>> shards = new HashMap<>();
    private final Map<String, Long> bytes = new HashMap<>();
    private final Set<Integer> underWay;

    /** {@code underWay}: the targets of shards that are being moved, which count as moved. */
    PlannedOwnership(
            ShardMap map, Map<Integer, Long> sizes, Collection<String> databases, Map<Integer, String> underWay) {
        this.map = map;
        this.sizes = sizes;
        this.underWay = Set.copyOf(underWay.keySet());
        for (String database : databases) {
            Set<Integer> own = new TreeSet<>();
            for (int shard : map.shardsOf(database)) {
                own.add(shard);
            }
            shards.put(database, own);
            bytes.put(database, own.stream().mapToLong(this::bytesOf).sum());
        }
        underWay.forEach((shard, target) -> {
            if (shards.containsKey(target)) {
                move(shard, map.databaseOf(shard), target);
            }
        });
    }

    long bytesOf(int shard) {
        return sizes.getOrDefault(shard, 0L);
    }

    long bytesIn(String database) {
        return Objects.requireNonNull(bytes.get(database));
    }

    int countOf(String database) {
        return shardsOf(database).size();
    }

    private Set<Integer> shardsOf(String database) {
        return Objects.requireNonNull(shards.get(database));
    }

    /** The shards of a database for which a move may be planned: not those that are being moved. */
    Stream<Integer> movableOf(String database) {
        return shardsOf(database).stream().filter(shard -> !underWay.contains(shard));
    }

    /** The size of the largest shard. */
    long largest() {
        return shards.values().stream()
                .flatMap(Set::stream)
                .mapToLong(this::bytesOf)
                .max()
                .orElse(0);
    }

    /** Orders databases by what they own; equal ones by the other measure. */
    Comparator<String> least(Balance by) {
        Comparator<String> count = Comparator.comparingInt(this::countOf);
        Comparator<String> size = Comparator.comparingLong(this::bytesIn);
        return (by == Balance.COUNT ? count.thenComparing(size) : size.thenComparing(count))
                .thenComparing(Comparator.naturalOrder());
    }

    void move(int shard, String from, String target) {
        shardsOf(from).remove(shard);
        shardsOf(target).add(shard);
        bytes.merge(from, -bytesOf(shard), Long::sum);
        bytes.merge(target, bytesOf(shard), Long::sum);
    }

    /** The moves of the shards that do not end where they are, those under way included. */
    List<PlannedMove> moves() {
        List<PlannedMove> moves = new ArrayList<>();
        shards.forEach((target, own) -> own.stream()
                .filter(shard -> !map.databaseOf(shard).equals(target))
                .map(shard -> new PlannedMove(shard, map.databaseOf(shard), target, sizes.getOrDefault(shard, -1L)))
                .forEach(moves::add));
        moves.sort(Comparator.comparingInt(PlannedMove::shard));
        return moves;
    }
}
