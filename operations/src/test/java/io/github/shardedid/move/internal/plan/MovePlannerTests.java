package io.github.shardedid.move.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.move.Balance;
import io.github.shardedid.move.MovePlan;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.PlannedMove;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardOwnership;
import io.github.shardedid.topology.ShardOwnership.Standing;
import java.util.ArrayList;
import java.util.Arrays;
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
        MovePlan plan = MovePlanner.rebalance(map("a", "a", "b", "b"), SIZES, Balance.COUNT, List.of("a", "b", "c"));

        assertThat(plan.moves()).containsExactly(new PlannedMove(1, "a", "c", 10));
    }

    @Test
    void shardsOfADrainedDatabaseGoWhereThereIsLeast() {
        assertThat(MovePlanner.drain(map("a", "a", "b", "a"), SIZES, Balance.SIZE, "a", List.of("a", "b", "c"))
                        .moves())
                .containsExactly(
                        new PlannedMove(0, "a", "c", 50_000),
                        new PlannedMove(1, "a", "b", 10),
                        new PlannedMove(3, "a", "b", 30));
    }

    @Test
    void whatIsEvenStays() {
        ShardMap even = map("a", "b", "a", "b");

        assertThat(MovePlanner.rebalance(even, SIZES, Balance.COUNT, List.of("a", "b"))
                        .moves())
                .isEmpty();
        assertThat(MovePlanner.rebalance(even, SIZES, Balance.SIZE, List.of("a", "b"))
                        .moves())
                .isEmpty();
        assertThat(MovePlanner.rebalance(even, Map.of(), Balance.SIZE, List.of("a", "b", "c"))
                        .moves())
                .isEmpty();
    }

    @Test
    void aPlanIsReadAsATable() {
        MovePlan plan = MovePlanner.drain(
                map("pg1", "pg1", "b", "pg1"), Map.of(0, 50_000L, 1, 10L), Balance.COUNT, "pg1", List.of("pg1", "b"));

        assertThat(plan)
                .hasToString(
                        """
                shard  from  to         size
                    0  pg1   b         48 kB
                    1  pg1   b          10 B
                    3  pg1   b             ?
                3 moves, 48 kB""");
        assertThat(new MovePlan(List.of())).hasToString("nothing to move");
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
        assertThatThrownBy(() -> MovePlanner.rebalance(down, SIZES, Balance.SIZE, List.of("a", "b")))
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
        MovePlan plan = MovePlanner.rebalance(map(homes), sizes, Balance.COUNT, databases);
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
        MovePlan plan = MovePlanner.rebalance(map(homes), sizes, Balance.SIZE, databases);
        Map<String, Long> bytes = bytes(after(as, homes, plan), sizes, databases);
        long total = sizes.values().stream().mapToLong(size -> size).sum();
        long largest = Collections.max(sizes.values());
        assertThat(Collections.max(bytes.values()) - Collections.min(bytes.values()))
                .as(as)
                .isLessThanOrEqualTo(Math.max(largest, total / databases.size() / 10));
    }

    private static void checkDrain(
            String as, String[] homes, Map<Integer, Long> sizes, List<String> databases, String drained) {
        for (Balance by : Balance.values()) {
            MovePlan plan = MovePlanner.drain(map(homes), sizes, by, drained, databases);
            assertThat(after(as, homes, plan)).as(as).doesNotContain(drained);
            assertThat(plan.moves()).as(as).allMatch(move -> move.source().equals(drained));
        }
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
        assertThatThrownBy(() -> MovePlanner.drain(map, SIZES, Balance.COUNT, drained, databases))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContaining(words);
    }

    private static ShardMap map(String... homes) {
        List<ShardOwnership> claims = new ArrayList<>();
        Arrays.stream(homes).forEach(home -> claims.add(new ShardOwnership(claims.size(), home, 1)));
        return new ShardMap(homes.length, claims, Map.of());
    }
}
