package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.move.MoveGoal.Balance;
import io.github.shardedid.move.MovePlan.PlannedMove;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardOwnership;
import io.github.shardedid.topology.ShardOwnership.Standing;
import io.github.shardedid.topology.ShardRanges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MovePlannerTests {
    private static final Map<Integer, Long> SIZES = Map.of(0, 50_000L, 1, 10L, 2, 20L, 3, 30L);

    @Test
    void aDatabaseThatOwnsNothingYetGetsItsPart() {
        MovePlan plan = plan(MoveGoal.rebalance(Balance.COUNT), map("a", "a", "b", "b"), SIZES, List.of("a", "b", "c"));

        assertThat(plan.moves()).containsExactly(new PlannedMove(1, "a", "c", 10));
    }

    @Test
    void shardsOfADrainedDatabaseGoWhereThereIsLeast() {
        assertThat(plan(MoveGoal.drain("a"), map("a", "a", "b", "a"), SIZES, List.of("a", "b", "c"))
                        .moves())
                .containsExactly(
                        new PlannedMove(0, "a", "c", 50_000),
                        new PlannedMove(1, "a", "b", 10),
                        new PlannedMove(3, "a", "b", 30));
    }

    @Test
    void whatIsEvenStays() {
        ShardMap even = map("a", "b", "a", "b");

        assertThat(plan(MoveGoal.rebalance(Balance.COUNT), even, SIZES, List.of("a", "b"))
                        .moves())
                .isEmpty();
        assertThat(plan(MoveGoal.rebalance(Balance.SIZE), even, SIZES, List.of("a", "b"))
                        .moves())
                .isEmpty();
        assertThat(plan(MoveGoal.rebalance(Balance.SIZE), even, Map.of(), List.of("a", "b", "c"))
                        .moves())
                .isEmpty();
    }

    @Test
    void aPlanIsReadAsATable() {
        MovePlan plan = plan(
                MoveGoal.drain("pg1"), map("pg1", "pg1", "b", "pg1"), Map.of(0, 50_000L, 1, 10L), List.of("pg1", "b"));

        assertThat(plan)
                .hasToString(
                        """
                shard  from  to         size
                    0  pg1   b         48 kB
                    1  pg1   b          10 B
                    3  pg1   b             ?
                3 moves, 48 kB""");
        assertThat(new MovePlan(MoveGoal.drain("a"), List.of())).hasToString("nothing to move");
    }

    @Test
    void shardsAreMovedToOneDatabase() {
        MoveGoal goal = MoveGoal.move(ShardRanges.of(0, 1, 3), "c");

        assertThat(plan(goal, map("a", "c", "b", "b"), SIZES, List.of("a", "b", "c"))
                        .moves())
                .containsExactly(new PlannedMove(0, "a", "c", 50_000), new PlannedMove(3, "b", "c", 30));
        assertThat(plan(goal, map("c", "c", "b", "c"), SIZES, List.of("a", "b", "c"))
                        .moves())
                .isEmpty();
    }

    /** They are left, are not planned again, and count at their targets. */
    @Test
    void whatIsUnderWayIsPartOfTheSituation() {
        List<String> all = List.of("a", "b", "c");
        ShardMap map = map("a", "a", "b", "a");

        assertThat(plan(MoveGoal.drain("a"), map, SIZES, all, Map.of(0, "b", 2, "c"))
                        .moves())
                .containsExactly(
                        new PlannedMove(0, "a", "b", 50_000),
                        new PlannedMove(1, "a", "c", 10),
                        new PlannedMove(3, "a", "c", 30));
        assertThat(plan(MoveGoal.drain("b"), map, SIZES, all, Map.of(0, "b")).moves())
                .as("comes, and is to leave again")
                .containsExactly(new PlannedMove(0, "a", "b", 50_000), new PlannedMove(2, "b", "c", 20));
        assertThat(plan(MoveGoal.rebalance(Balance.COUNT), map, SIZES, List.of("a", "b"), Map.of(1, "b"))
                        .moves())
                .containsExactly(new PlannedMove(1, "a", "b", 10));
        assertThat(plan(MoveGoal.move(ShardRanges.of(1), "c"), map, SIZES, all, Map.of(1, "b", 3, "b"))
                        .moves())
                .containsExactly(new PlannedMove(1, "a", "b", 10));
        ShardMap fenced = new ShardMap(1, List.of(new ShardOwnership(0, "a", 1, Standing.FENCED)), Map.of());
        assertThat(plan(MoveGoal.drain("a"), fenced, SIZES, all, Map.of(0, "b")).moves())
                .hasSize(1);
        assertThat(plan(MoveGoal.drain("a"), map("a"), SIZES, all, Map.of(0, "z"))
                        .moves())
                .as("to a database that is not known here")
                .isEmpty();
    }

    @Test
    void whatCannotBePlannedIsRefused() {
        ShardMap down = new ShardMap(2, List.of(new ShardOwnership(0, "a", 1)), Map.of("b", "down"));
        ShardMap fenced = new ShardMap(1, List.of(new ShardOwnership(0, "a", 1, Standing.FENCED)), Map.of());

        refused(down, "a", List.of("a", "b"), "do not answer: [b]");
        refused(fenced, "a", List.of("a", "b"), "shard 0 is on the way");
        refused(map("a", "a"), "x", List.of("a", "b"), "no database x");
        refused(map("a", "a"), "a", List.of("a"), "is the only one");
        refused(map("a", "z"), "a", List.of("a", "b"), "Shard 1 is in database z");
        assertThatThrownBy(() -> plan(MoveGoal.rebalance(Balance.SIZE), down, SIZES, List.of("a", "b")))
                .isInstanceOf(MoveRefusedException.class);
    }

    @Test
    void plansOfManyClustersAreWhatTheyPromise() {
        long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int run = 0; run < 300; run++) {
            List<String> databases =
                    new ArrayList<>(List.of("a", "b", "c", "d", "e").subList(0, 2 + random.nextInt(4)));
            int shards = 1 + random.nextInt(60);
            String[] homes = new String[shards];
            Map<Integer, Long> sizes = new HashMap<>();
            for (int shard = 0; shard < shards; shard++) {
                homes[shard] = databases.get((int) (databases.size() * Math.pow(random.nextDouble(), 2)));
                sizes.put(shard, random.nextInt(10) == 0 ? random.nextInt(100_000) : (long) random.nextInt(1_000));
            }
            String as = "seed " + seed + ", run " + run;
            checkCounts(as, homes, sizes, databases);
            checkSizes(as, homes, sizes, databases);
            checkDrain(as, homes, sizes, databases, databases.get(random.nextInt(databases.size())));
        }
    }

    private static void checkCounts(String as, String[] homes, Map<Integer, Long> sizes, List<String> databases) {
        MovePlan plan = plan(MoveGoal.rebalance(Balance.COUNT), map(homes), sizes, databases);
        Map<String, Long> counts = bytes(after(as, homes, plan), each(homes.length, 1L), databases);
        assertThat(Collections.max(counts.values()) - Collections.min(counts.values()))
                .as(as)
                .isLessThanOrEqualTo(1);
        // The fewest moves that are possible: whoever has most keeps one more.
        List<Long> before =
                new ArrayList<>(bytes(homes, each(homes.length, 1L), databases).values());
        before.sort(Collections.reverseOrder());
        long fewest = 0;
        for (int i = 0; i < before.size(); i++) {
            int share = homes.length / databases.size() + (i < homes.length % databases.size() ? 1 : 0);
            fewest += Math.max(0, before.get(i) - share);
        }
        assertThat(plan.moves()).as(as).hasSize((int) fewest);
    }

    private static void checkSizes(String as, String[] homes, Map<Integer, Long> sizes, List<String> databases) {
        MovePlan plan = plan(MoveGoal.rebalance(Balance.SIZE), map(homes), sizes, databases);
        Map<String, Long> bytes = bytes(after(as, homes, plan), sizes, databases);
        long total = sizes.values().stream().mapToLong(size -> size).sum();
        long largest = Collections.max(sizes.values());
        assertThat(Collections.max(bytes.values()) - Collections.min(bytes.values()))
                .as(as)
                .isLessThanOrEqualTo(Math.max(largest, total / databases.size() / 10));
    }

    private static void checkDrain(
            String as, String[] homes, Map<Integer, Long> sizes, List<String> databases, String drained) {
        MovePlan plan = plan(MoveGoal.drain(drained), map(homes), sizes, databases);
        assertThat(after(as, homes, plan)).as(as).doesNotContain(drained);
        assertThat(plan.moves()).as(as).allMatch(move -> move.source().equals(drained));
    }

    /** Who owns what once the plan has run; each shard is moved at most once, from where it is. */
    private static String[] after(String as, String[] homes, MovePlan plan) {
        String[] after = homes.clone();
        for (PlannedMove move : plan.moves()) {
            assertThat(after[move.shard()])
                    .as(as)
                    .isEqualTo(homes[move.shard()])
                    .isEqualTo(move.source());
            assertThat(move.target()).as(as).isNotEqualTo(move.source());
            after[move.shard()] = move.target();
        }
        return after;
    }

    private static Map<String, Long> bytes(String[] homes, Map<Integer, Long> sizes, List<String> databases) {
        Map<String, Long> bytes = new TreeMap<>();
        databases.forEach(database -> bytes.put(database, 0L));
        for (int shard = 0; shard < homes.length; shard++) {
            bytes.merge(homes[shard], sizes.getOrDefault(shard, 0L), Long::sum);
        }
        return bytes;
    }

    private static Map<Integer, Long> each(int shards, long size) {
        Map<Integer, Long> sizes = new HashMap<>();
        IntStream.range(0, shards).forEach(shard -> sizes.put(shard, size));
        return sizes;
    }

    private static void refused(ShardMap map, String drained, List<String> databases, String words) {
        assertThatThrownBy(() -> plan(MoveGoal.drain(drained), map, SIZES, databases))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContaining(words);
    }

    private static MovePlan plan(MoveGoal goal, ShardMap map, Map<Integer, Long> sizes, Collection<String> databases) {
        return plan(goal, map, sizes, databases, Map.of());
    }

    private static MovePlan plan(
            MoveGoal goal,
            ShardMap map,
            Map<Integer, Long> sizes,
            Collection<String> databases,
            Map<Integer, String> underWay) {
        return new MovePlan(goal, new MovePlanner(map, sizes, databases, underWay).moves(goal));
    }

    private static ShardMap map(String... homes) {
        List<ShardOwnership> claims = new ArrayList<>();
        Arrays.stream(homes).forEach(home -> claims.add(new ShardOwnership(claims.size(), home, 1)));
        return new ShardMap(homes.length, claims, Map.of());
    }
}
