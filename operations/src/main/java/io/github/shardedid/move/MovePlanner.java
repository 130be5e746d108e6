package io.github.shardedid.move;

import io.github.shardedid.move.MoveGoal.Balance;
import io.github.shardedid.move.MovePlan.PlannedMove;
import io.github.shardedid.move.MoveRefusedException.Reason;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Plans the moves that reach a goal: few of them, if it is balance. Knows which database owns which shards once the moves planned so far
 * have been made. Asks and changes nothing. Not safe for use by several threads.
 */
final class MovePlanner {
    private static final int TENTH = 10;

    private final ShardMap map;
    private final Map<Integer, Long> sizes;
    private final Set<Integer> underWay;
    private final Map<String, Set<Integer>> shards = new HashMap<>();
    private final Map<String, Long> bytes = new HashMap<>();
    private final Set<String> all;

    /**
     * Plans nothing yet.
     *
     * @param map who owns what now
     * @param sizes bytes of each shard; of one that is not in it the size is not known, and counts as none
     * @param databases all databases of the cluster, also those that own nothing yet
     * @param underWay the targets of shards that are being moved
     * @throws MoveRefusedException if a database does not answer, or a shard is fenced and is not being moved
     * @throws MoveRefusedException if the databases are not all
     */
    MovePlanner(ShardMap map, Map<Integer, Long> sizes, Collection<String> databases, Map<Integer, String> underWay) {
        this.all = checked(map, databases, underWay.keySet());
        this.map = map;
        this.sizes = sizes;
        this.underWay = Set.copyOf(underWay.keySet());
        for (String database : all) {
            Set<Integer> own =
                    Arrays.stream(map.shardsOf(database)).boxed().collect(Collectors.toCollection(TreeSet::new));
            shards.put(database, own);
            bytes.put(database, own.stream().mapToLong(this::bytesOf).sum());
        }
        underWay.forEach((shard, target) -> {
            if (all.contains(target)) {
                move(shard, map.databaseOf(shard), target);
            }
        });
    }

    /** The moves that reach the goal, with those under way that have to do with it, by the numbers of the shards. */
    List<PlannedMove> moves(MoveGoal goal) {
        Predicate<PlannedMove> ours =
                switch (goal.kind()) {
                    case DRAIN -> {
                        drain(goal.subject());
                        yield move -> move.source().equals(goal.subject())
                                || move.target().equals(goal.subject());
                    }
                    case REBALANCE -> {
                        rebalance(Balance.valueOf(goal.subject()));
                        yield move -> true;
                    }
                    case MOVE -> {
                        Set<Integer> shards = ShardRanges.parse(goal.subject())
                                .shards()
                                .boxed()
                                .collect(Collectors.toSet());
                        move(shards, String.valueOf(goal.target()));
                        yield move -> shards.contains(move.shard());
                    }
                };
        return moves().stream().filter(ours).toList();
    }

    private void move(Set<Integer> shards, String target) {
        requireKnown(target, "to move shards to");
        for (String database : all) {
            if (!database.equals(target)) {
                movableOf(database).filter(shards::contains).toList().forEach(shard -> move(shard, database, target));
            }
        }
    }

    private void requireKnown(String database, String what) {
        if (!all.contains(database)) {
            throw new MoveRefusedException("There is no database " + database + " " + what + ", only " + all + ".");
        }
    }

    /** Distributes all shards of a database over the others, the largest first. */
    private void drain(String database) {
        requireKnown(database, "to be emptied");
        if (all.size() == 1) {
            throw new MoveRefusedException(
                    "Database " + database + " is the only one: there is no other one for its shards. Add one.");
        }
        List<Integer> shards = movableOf(database)
                .sorted(Comparator.<Integer>comparingLong(this::bytesOf)
                        .reversed()
                        .thenComparing(shard -> shard))
                .toList();
        for (int shard : shards) {
            String least = all.stream()
                    .filter(name -> !name.equals(database))
                    .min(least(Balance.SIZE))
                    .orElseThrow();
            move(shard, database, least);
        }
    }

    /**
     * Balances all databases: by count within one shard, with the fewest moves; by size within the size of the largest shard
     * or a tenth of the mean, with few moves.
     */
    private void rebalance(Balance by) {
        if (by == Balance.COUNT) {
            evenCounts();
        } else {
            evenSizes();
        }
    }

    private void evenCounts() {
        while (true) {
            String most = all.stream().max(least(Balance.COUNT)).orElseThrow();
            String least = all.stream().min(least(Balance.COUNT)).orElseThrow();
            if (countOf(most) - countOf(least) <= 1) {
                return;
            }
            // A small shard is copied fast.
            Integer shard = movableOf(most)
                    .min(Comparator.<Integer>comparingLong(this::bytesOf).thenComparing(one -> one))
                    .orElse(null);
            if (shard == null) {
                return;
            }
            move(shard, most, least);
        }
    }

    private void evenSizes() {
        long total = all.stream().mapToLong(this::bytesIn).sum();
        long enough = Math.max(largest(), total / all.size() / TENTH);
        while (true) {
            String most = all.stream().max(least(Balance.SIZE)).orElseThrow();
            String least = all.stream().min(least(Balance.SIZE)).orElseThrow();
            long apart = bytesIn(most) - bytesIn(least);
            Integer shard = apart <= enough ? null : nearest(most, apart);
            if (shard == null) {
                return;
            }
            move(shard, most, least);
        }
    }

    /** The shard whose move brings two databases closest. Each such move improves the balance, so the planning ends. */
    private @Nullable Integer nearest(String database, long apart) {
        return movableOf(database)
                .filter(shard -> bytesOf(shard) > 0 && bytesOf(shard) < apart)
                .min(Comparator.<Integer>comparingLong(shard -> Math.abs(apart - 2 * bytesOf(shard)))
                        .thenComparing(shard -> shard))
                .orElse(null);
    }

    private static Set<String> checked(ShardMap map, Collection<String> databases, Set<Integer> underWay) {
        if (!map.unreachableDatabases().isEmpty()) {
            throw new MoveRefusedException(
                    Reason.DEFERRED,
                    "Nothing is planned while databases do not answer: " + new TreeSet<>(map.unreachableDatabases())
                            + ". Bring them back, then plan again.");
        }
        int[] fenced = IntStream.range(0, map.shardCount())
                .filter(shard -> map.isFenced(shard) && !underWay.contains(shard))
                .toArray();
        if (fenced.length > 0) {
            throw new MoveRefusedException(
                    Reason.DEFERRED,
                    "Nothing is planned while shard " + fenced[0]
                            + (fenced.length > 1 ? " and others are" : " is")
                            + " on the way from one database to another. Wait, or resume"
                            + " or abort the move, then plan again.");
        }
        if (databases.isEmpty()) {
            throw new MoveRefusedException("There are no databases to plan for.");
        }
        Set<String> all = new TreeSet<>(databases);
        for (int shard = 0; shard < map.shardCount(); shard++) {
            if (!all.contains(map.databaseOf(shard))) {
                throw new MoveRefusedException("Shard " + shard + " is in database " + map.databaseOf(shard)
                        + ", which is not among those to plan for: " + all + ". Name them all.");
            }
        }
        return all;
    }

    private long bytesOf(int shard) {
        return sizes.getOrDefault(shard, 0L);
    }

    private long bytesIn(String database) {
        return Objects.requireNonNull(bytes.get(database));
    }

    private int countOf(String database) {
        return shardsOf(database).size();
    }

    private Set<Integer> shardsOf(String database) {
        return Objects.requireNonNull(shards.get(database));
    }

    /** The shards of a database for which a move may be planned: not those that are being moved. */
    private Stream<Integer> movableOf(String database) {
        return shardsOf(database).stream().filter(shard -> !underWay.contains(shard));
    }

    /** The size of the largest shard. */
    private long largest() {
        return shards.values().stream()
                .flatMap(Set::stream)
                .mapToLong(this::bytesOf)
                .max()
                .orElse(0);
    }

    /** Orders databases by what they own; equal ones by the other measure. */
    private Comparator<String> least(Balance by) {
        Comparator<String> count = Comparator.comparingInt(this::countOf);
        Comparator<String> size = Comparator.comparingLong(this::bytesIn);
        return (by == Balance.COUNT ? count.thenComparing(size) : size.thenComparing(count))
                .thenComparing(Comparator.naturalOrder());
    }

    private void move(int shard, String from, String target) {
        shardsOf(from).remove(shard);
        shardsOf(target).add(shard);
        bytes.merge(from, -bytesOf(shard), Long::sum);
        bytes.merge(target, bytesOf(shard), Long::sum);
    }

    /** The moves of the shards that do not end where they are, those under way included. */
    private List<PlannedMove> moves() {
        List<PlannedMove> moves = new ArrayList<>();
        shards.forEach((target, own) -> own.stream()
                .filter(shard -> !map.databaseOf(shard).equals(target))
                .map(shard -> new PlannedMove(shard, map.databaseOf(shard), target, sizes.getOrDefault(shard, -1L)))
                .forEach(moves::add));
        moves.sort(Comparator.comparingInt(PlannedMove::shard));
        return moves;
    }
}
