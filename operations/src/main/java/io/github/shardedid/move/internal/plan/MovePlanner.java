package io.github.shardedid.move.internal.plan;

import io.github.shardedid.move.Balance;
import io.github.shardedid.move.MovePlan;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.PlannedMove;
import io.github.shardedid.topology.ShardMap;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Plans moves that empty a database, or make all even with few of them. Nothing is asked or changed. */
public final class MovePlanner {
    private static final int TENTH = 10;

    private MovePlanner() {}

    /**
     * Spreads all shards of a database over the others.
     *
     * @param map who owns what now
     * @param sizes bytes of each shard; of one that is not in it the size is not known, and counts as none
     * @param by what is to be as even as it can be made by these moves
     * @param database the one to be emptied
     * @param databases all databases of the cluster, also those that own nothing yet
     * @throws MoveRefusedException if there is no such database, no other one, one that does not answer, or a shard that is being moved
     */
    public static MovePlan drain(
            ShardMap map, Map<Integer, Long> sizes, Balance by, String database, Collection<String> databases) {
        Set<String> all = checked(map, databases);
        if (!all.contains(database)) {
            throw new MoveRefusedException("There is no database " + database + " to be emptied, only " + all + ".");
        }
        if (all.size() == 1) {
            throw new MoveRefusedException(
                    "Database " + database + " is the only one: its shards can go nowhere. Add another one.");
        }
        PlannedHomes homes = new PlannedHomes(map, sizes, all);
        List<Integer> shards = IntStream.of(map.shardsOf(database))
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(homes::bytesOf)
                        .reversed()
                        .thenComparing(shard -> shard))
                .toList();
        for (int shard : shards) {
            String least = all.stream()
                    .filter(name -> !name.equals(database))
                    .min(homes.least(by))
                    .orElseThrow();
            homes.move(shard, least);
        }
        return homes.plan();
    }

    /**
     * Makes all databases even: by count within one shard, with the fewest moves; by size within the size of the largest shard
     * or a tenth of the mean, with few moves.
     *
     * @param map who owns what now
     * @param sizes bytes of each shard; of one that is not in it the size is not known, and counts as none
     * @param by what is made even
     * @param databases all databases of the cluster, also those that own nothing yet
     * @throws MoveRefusedException if there is no database, one that does not answer, or a shard that is being moved
     */
    public static MovePlan rebalance(ShardMap map, Map<Integer, Long> sizes, Balance by, Collection<String> databases) {
        Set<String> all = checked(map, databases);
        PlannedHomes homes = new PlannedHomes(map, sizes, all);
        if (by == Balance.COUNT) {
            evenCounts(homes, all);
        } else {
            evenSizes(homes, all);
        }
        return homes.plan();
    }

    private static void evenCounts(PlannedHomes homes, Set<String> all) {
        while (true) {
            String most = all.stream().max(homes.least(Balance.COUNT)).orElseThrow();
            String least = all.stream().min(homes.least(Balance.COUNT)).orElseThrow();
            if (homes.countOf(most) - homes.countOf(least) <= 1) {
                return;
            }
            // What is small is copied soon.
            int shard = homes.shardsOf(most).stream()
                    .min(Comparator.<Integer>comparingLong(homes::bytesOf).thenComparing(one -> one))
                    .orElseThrow();
            homes.move(shard, least);
        }
    }

    private static void evenSizes(PlannedHomes homes, Set<String> all) {
        long total = all.stream().mapToLong(homes::bytesIn).sum();
        long enough = Math.max(homes.largest(), total / all.size() / TENTH);
        while (true) {
            String most = all.stream().max(homes.least(Balance.SIZE)).orElseThrow();
            String least = all.stream().min(homes.least(Balance.SIZE)).orElseThrow();
            long apart = homes.bytesIn(most) - homes.bytesIn(least);
            Integer shard = apart <= enough ? null : nearest(homes, most, apart);
            if (shard == null) {
                return;
            }
            homes.move(shard, least);
        }
    }

    /** The shard whose move makes two databases most alike: each such move makes all more even, so there is an end. */
    private static @Nullable Integer nearest(PlannedHomes homes, String database, long apart) {
        return homes.shardsOf(database).stream()
                .filter(shard -> homes.bytesOf(shard) > 0 && homes.bytesOf(shard) < apart)
                .min(Comparator.<Integer>comparingLong(shard -> Math.abs(apart - 2 * homes.bytesOf(shard)))
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
            throw new MoveRefusedException("Nothing is planned without databases.");
        }
        Set<String> all = new TreeSet<>(databases);
        for (int shard = 0; shard < map.shardCount(); shard++) {
            if (!all.contains(map.databaseOf(shard))) {
                throw new MoveRefusedException("Shard " + shard + " lives in database " + map.databaseOf(shard)
                        + ", which is not among those to plan for: " + all + ". Name them all.");
            }
        }
        return all;
    }

    /** A move of a plan, as it is printed. */
    static PlannedMove planned(ShardMap map, int shard, String target, @Nullable Long bytes) {
        return new PlannedMove(shard, map.databaseOf(shard), target, bytes == null ? -1 : bytes);
    }
}
