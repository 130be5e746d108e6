package io.github.shardedid.move;

import io.github.shardedid.move.MovePlan.PlannedMove;
import io.github.shardedid.move.MoveRefusedException.Reason;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Plans the moves that reach a goal, the largest shards first. Knows which database owns which shards once the moves planned so far have
 * been made. Asks and changes nothing. Not safe for use by several threads.
 */
final class MovePlanner {
    private static final int TENTH = 10;

    private final ShardMap map;
    private final Map<Integer, Long> sizes;
    private final Set<Integer> underWay;
    /** The database of each shard once the moves planned so far have been made. */
    private final Map<Integer, String> owners = new TreeMap<>();

    private final Map<String, Long> loads = new TreeMap<>();

    /**
     * Plans nothing yet.
     *
     * @param map who owns what now
     * @param sizes bytes of each shard; of one that is not in it the size is not known, and counts as none
     * @param databases all databases of the cluster, also those that own nothing yet
     * @param underWay the targets of shards that are being moved; those shards are not planned again
     * @throws MoveRefusedException if it is not known where the shards are
     */
    MovePlanner(ShardMap map, Map<Integer, Long> sizes, Set<String> databases, Map<Integer, String> underWay) {
        this.map = map;
        this.sizes = sizes;
        this.underWay = underWay.keySet();
        if (!map.unreachableDatabases().isEmpty()) {
            throw new MoveRefusedException(
                    Reason.DEFERRED,
                    "Nothing is planned while databases do not answer: " + new TreeSet<>(map.unreachableDatabases())
                            + ". Bring them back, then plan again.");
        }
        databases.forEach(database -> loads.put(database, 0L));
        for (int shard = 0; shard < map.shardCount(); shard++) {
            if (map.isFenced(shard) && !underWay.containsKey(shard)) {
                throw new MoveRefusedException(
                        Reason.DEFERRED,
                        "Nothing is planned while shard " + shard + " is on the way from one database to another."
                                + " Wait, or resume or abort the move, then plan again.");
            }
            String target = underWay.getOrDefault(shard, map.databaseOf(shard));
            String owner = databases.contains(target) ? target : map.databaseOf(shard);
            requireKnown(owner, "which owns shard " + shard);
            owners.put(shard, owner);
            loads.merge(owner, load(shard), Long::sum);
        }
    }

    private String ownerOf(int shard) {
        return owners.getOrDefault(shard, map.databaseOf(shard));
    }

    private long loadOf(String database) {
        return loads.getOrDefault(database, 0L);
    }

    private void requireKnown(String database, String why) {
        if (!loads.containsKey(database)) {
            throw new MoveRefusedException("There is no database " + database + ", " + why + ", only " + loads.keySet()
                    + ". Nothing was changed.");
        }
    }

    /** An empty shard counts, too: else a new cluster would be balanced by any distribution. */
    private long load(int shard) {
        return sizes.getOrDefault(shard, 0L) + 1;
    }

    /** The moves that reach the goal, with those under way that have to do with it, by the numbers of the shards. */
    List<PlannedMove> moves(MoveGoal goal) {
        String subject = goal.subject();
        Predicate<PlannedMove> ours =
                switch (goal.kind()) {
                    case DRAIN -> {
                        drain(subject);
                        yield move -> subject.equals(move.source()) || subject.equals(move.target());
                    }
                    case REBALANCE -> {
                        balance();
                        yield move -> true;
                    }
                    case MOVE -> {
                        Set<Integer> shards =
                                ShardRanges.parse(subject).shards().boxed().collect(Collectors.toSet());
                        String target = String.valueOf(goal.target());
                        requireKnown(target, "to move shards to");
                        owners.keySet().stream()
                                .filter(shard -> shards.contains(shard) && !underWay.contains(shard))
                                .forEach(shard -> move(shard, target));
                        yield move -> shards.contains(move.shard());
                    }
                };
        return IntStream.range(0, map.shardCount())
                .mapToObj(shard ->
                        new PlannedMove(shard, map.databaseOf(shard), ownerOf(shard), sizes.getOrDefault(shard, -1L)))
                .filter(move -> !move.target().equals(move.source()) && ours.test(move))
                .toList();
    }

    private void move(int shard, String target) {
        loads.merge(ownerOf(shard), -load(shard), Long::sum);
        loads.merge(target, load(shard), Long::sum);
        owners.put(shard, target);
    }

    /** Distributes all shards of a database over the others. */
    private void drain(String database) {
        requireKnown(database, "to be emptied");
        if (loads.size() == 1) {
            throw new MoveRefusedException(
                    "Database " + database + " is the only one: there is no other one for its shards. Add one.");
        }
        Comparator<Integer> bySize = Comparator.comparingLong(this::load);
        for (int shard : movableOf(database).sorted(bySize.reversed()).toList()) {
            move(
                    shard,
                    databases()
                            .filter(name -> !name.equals(database))
                            .findFirst()
                            .orElseThrow());
        }
    }

    /**
     * Balances all databases within the size of the largest shard or a tenth of the mean, with few moves. Each of them moves the shard that
     * brings the fullest and the emptiest database closest, so the distance shrinks, and the planning ends.
     */
    private void balance() {
        long total = loads.values().stream().mapToLong(load -> load).sum();
        long largest = owners.keySet().stream().mapToLong(this::load).max().orElse(0);
        long enough = Math.max(largest, total / loads.size() / TENTH);
        while (true) {
            List<String> byLoad = databases().toList();
            String most = byLoad.get(byLoad.size() - 1);
            long apart = loadOf(most) - loadOf(byLoad.get(0));
            Integer shard = movableOf(most)
                    .filter(each -> load(each) < apart)
                    .min(Comparator.comparingLong(each -> Math.abs(apart - 2 * load(each))))
                    .orElse(null);
            if (apart <= enough || shard == null) {
                return;
            }
            move(shard, byLoad.get(0));
        }
    }

    /** The databases, those with the least load first. */
    private Stream<String> databases() {
        return loads.keySet().stream().sorted(Comparator.comparingLong(this::loadOf));
    }

    /** The shards of a database for which a move may be planned: not those that are being moved. */
    private Stream<Integer> movableOf(String database) {
        return owners.keySet().stream().filter(shard -> ownerOf(shard).equals(database) && !underWay.contains(shard));
    }
}
