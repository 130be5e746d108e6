package io.github.shardedid.move.internal.plan;

import io.github.shardedid.move.Balance;
import io.github.shardedid.move.MovePlan;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.topology.ShardMap;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Plans moves that empty a database, or balance all of them with few moves. Asks and changes nothing. */
final class MovePlanner {
    private static final int TENTH = 10;

    private MovePlanner() {}

    /**
     * Distributes all shards of a database over the others.
     *
     * @param map who owns what now
     * @param sizes bytes of each shard; of one that is not in it the size is not known, and counts as none
     * @param by what is balanced
     * @param database the one to be emptied
     * @param databases all databases of the cluster, also those that own nothing yet
     * @throws MoveRefusedException if there is no such database, no other one, one that does not answer, or a shard that is being moved
     */
    static MovePlan drain(
            ShardMap map, Map<Integer, Long> sizes, Balance by, String database, Collection<String> databases) {
        Set<String> all = checked(map, databases);
        if (!all.contains(database)) {
            throw new MoveRefusedException("There is no database " + database + " to be emptied, only " + all + ".");
        }
        if (all.size() == 1) {
            throw new MoveRefusedException(
                    "Database " + database + " is the only one: there is no other one for its shards. Add one.");
        }
        PlannedOwnership planned = new PlannedOwnership(map, sizes, all);
        List<Integer> shards = IntStream.of(map.shardsOf(database))
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(planned::bytesOf)
                        .reversed()
                        .thenComparing(shard -> shard))
                .toList();
        for (int shard : shards) {
            String least = all.stream()
                    .filter(name -> !name.equals(database))
                    .min(planned.least(by))
                    .orElseThrow();
            planned.move(shard, database, least);
        }
        return planned.plan();
    }

    /**
     * Balances all databases: by count within one shard, with the fewest moves; by size within the size of the largest shard
     * or a tenth of the mean, with few moves.
     *
     * @param map who owns what now
     * @param sizes bytes of each shard; of one that is not in it the size is not known, and counts as none
     * @param by what is balanced
     * @param databases all databases of the cluster, also those that own nothing yet
     * @throws MoveRefusedException if there is no database, one that does not answer, or a shard that is being moved
     */
    static MovePlan rebalance(ShardMap map, Map<Integer, Long> sizes, Balance by, Collection<String> databases) {
        Set<String> all = checked(map, databases);
        PlannedOwnership planned = new PlannedOwnership(map, sizes, all);
        if (by == Balance.COUNT) {
            evenCounts(planned, all);
        } else {
            evenSizes(planned, all);
        }
        return planned.plan();
    }

    private static void evenCounts(PlannedOwnership planned, Set<String> all) {
        while (true) {
            String most = all.stream().max(planned.least(Balance.COUNT)).orElseThrow();
            String least = all.stream().min(planned.least(Balance.COUNT)).orElseThrow();
            if (planned.countOf(most) - planned.countOf(least) <= 1) {
                return;
            }
            // A small shard is copied fast.
            int shard = planned.shardsOf(most).stream()
                    .min(Comparator.<Integer>comparingLong(planned::bytesOf).thenComparing(one -> one))
                    .orElseThrow();
            planned.move(shard, most, least);
        }
    }

    private static void evenSizes(PlannedOwnership planned, Set<String> all) {
        long total = all.stream().mapToLong(planned::bytesIn).sum();
        long enough = Math.max(planned.largest(), total / all.size() / TENTH);
        while (true) {
            String most = all.stream().max(planned.least(Balance.SIZE)).orElseThrow();
            String least = all.stream().min(planned.least(Balance.SIZE)).orElseThrow();
            long apart = planned.bytesIn(most) - planned.bytesIn(least);
            Integer shard = apart <= enough ? null : nearest(planned, most, apart);
            if (shard == null) {
                return;
            }
            planned.move(shard, most, least);
        }
    }

    /** The shard whose move brings two databases closest. Each such move improves the balance, so the planning ends. */
    private static @Nullable Integer nearest(PlannedOwnership planned, String database, long apart) {
        return planned.shardsOf(database).stream()
                .filter(shard -> planned.bytesOf(shard) > 0 && planned.bytesOf(shard) < apart)
                .min(Comparator.<Integer>comparingLong(shard -> Math.abs(apart - 2 * planned.bytesOf(shard)))
                        .thenComparing(shard -> shard))
                .orElse(null);
    }

    private static Set<String> checked(ShardMap map, Collection<String> databases) {
        if (!map.unreachableDatabases().isEmpty()) {
            throw new MoveRefusedException("Nothing is planned while databases do not answer: "
                    + new TreeSet<>(map.unreachableDatabases()) + ". Bring them back, then plan again.");
        }
        int[] fenced =
                IntStream.range(0, map.shardCount()).filter(map::isFenced).toArray();
        if (fenced.length > 0) {
            throw new MoveRefusedException("Nothing is planned while shard " + fenced[0]
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
}
