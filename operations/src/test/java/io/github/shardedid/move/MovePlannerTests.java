package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MovePlannerTests {
    private static final Map<Integer, Long> SIZES = Map.of(0, 50_000L, 1, 10L, 2, 20L, 3, 30L);

    @Test
    void aDatabaseThatOwnsNothingYetGetsItsPart() {
        assertThat(plan(MoveGoal.BALANCE, map("a", "a", "b", "b"), Map.of(), List.of("a", "b", "c")))
                .as("empty shards count, too")
                .containsExactly(new PlannedMove(2, "b", "c", -1));
        assertThat(plan(MoveGoal.BALANCE, map("a", "a", "a", "b"), Map.of(), List.of("a", "b", "c")))
                .containsExactly(new PlannedMove(0, "a", "c", -1));
    }

    @Test
    void shardsOfADrainedDatabaseGoWhereThereIsLeast() {
        assertThat(plan(MoveGoal.drain("a"), map("a", "a", "b", "a"), SIZES, List.of("a", "b", "c")))
                .containsExactly(
                        new PlannedMove(0, "a", "c", 50_000),
                        new PlannedMove(1, "a", "b", 10),
                        new PlannedMove(3, "a", "b", 30));
    }

    @Test
    void whatIsEvenStays() {
        assertThat(plan(MoveGoal.BALANCE, map("a", "b", "a", "b"), SIZES, List.of("a", "b")))
                .isEmpty();
    }

    @Test
    void shardsAreMovedToOneDatabase() {
        MoveGoal goal = MoveGoal.move(ShardRanges.of(0, 1, 3), "c");

        assertThat(plan(goal, map("a", "c", "b", "b"), SIZES, List.of("a", "b", "c")))
                .containsExactly(new PlannedMove(0, "a", "c", 50_000), new PlannedMove(3, "b", "c", 30));
        assertThat(plan(goal, map("c", "c", "b", "c"), SIZES, List.of("a", "b", "c")))
                .isEmpty();
    }

    /** They are left, are not planned again, and count at their targets. */
    @Test
    void whatIsUnderWayIsPartOfTheSituation() {
        List<String> all = List.of("a", "b", "c");
        ShardMap map = map("a", "a", "b", "a");

        assertThat(plan(MoveGoal.drain("a"), map, SIZES, all, Map.of(0, "b", 2, "c")))
                .containsExactly(
                        new PlannedMove(0, "a", "b", 50_000),
                        new PlannedMove(1, "a", "c", 10),
                        new PlannedMove(3, "a", "c", 30));
        assertThat(plan(MoveGoal.drain("b"), map, SIZES, all, Map.of(0, "b")))
                .as("comes, and is to leave again")
                .containsExactly(new PlannedMove(0, "a", "b", 50_000), new PlannedMove(2, "b", "c", 20));
        assertThat(plan(MoveGoal.BALANCE, map, Map.of(), List.of("a", "b"), Map.of(1, "b")))
                .containsExactly(new PlannedMove(1, "a", "b", -1));
        assertThat(plan(MoveGoal.move(ShardRanges.of(1), "c"), map, SIZES, all, Map.of(1, "b", 3, "b")))
                .containsExactly(new PlannedMove(1, "a", "b", 10));
        ShardMap fenced = new ShardMap(1, List.of(new ShardOwnership(0, "a", 1, Standing.FENCED)), Map.of());
        assertThat(plan(MoveGoal.drain("a"), fenced, SIZES, all, Map.of(0, "b")))
                .hasSize(1);
        assertThat(plan(MoveGoal.drain("a"), map("a"), SIZES, all, Map.of(0, "z")))
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
        refused(map("a", "z"), "a", List.of("a", "b"), "no database z, which owns shard 1");
        assertThatThrownBy(() -> plan(MoveGoal.BALANCE, down, SIZES, List.of("a", "b")))
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
            checkSizes(as, homes, sizes, databases);
            checkDrain(as, homes, sizes, databases, databases.get(random.nextInt(databases.size())));
        }
    }

    private static void checkSizes(String as, String[] homes, Map<Integer, Long> sizes, List<String> databases) {
        List<PlannedMove> plan = plan(MoveGoal.BALANCE, map(homes), sizes, databases);
        Map<String, Long> bytes = bytes(after(as, homes, plan), sizes, databases);
        long total = sizes.values().stream().mapToLong(size -> size + 1).sum();
        long largest = Collections.max(sizes.values()) + 1;
        assertThat(Collections.max(bytes.values()) - Collections.min(bytes.values()))
                .as(as)
                .isLessThanOrEqualTo(Math.max(largest, total / databases.size() / 10));
    }

    private static void checkDrain(
            String as, String[] homes, Map<Integer, Long> sizes, List<String> databases, String drained) {
        List<PlannedMove> plan = plan(MoveGoal.drain(drained), map(homes), sizes, databases);
        assertThat(after(as, homes, plan)).as(as).doesNotContain(drained);
        assertThat(plan).as(as).allMatch(move -> move.source().equals(drained));
    }

    /** Who owns what once the plan has run; each shard is moved at most once, from where it is. */
    private static String[] after(String as, String[] homes, List<PlannedMove> plan) {
        String[] after = homes.clone();
        for (PlannedMove move : plan) {
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
            bytes.merge(homes[shard], sizes.getOrDefault(shard, 0L) + 1, Long::sum);
        }
        return bytes;
    }

    private static void refused(ShardMap map, String drained, List<String> databases, String words) {
        assertThatThrownBy(() -> plan(MoveGoal.drain(drained), map, SIZES, databases))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContaining(words);
    }

    private static List<PlannedMove> plan(
            MoveGoal goal, ShardMap map, Map<Integer, Long> sizes, Collection<String> databases) {
        return plan(goal, map, sizes, databases, Map.of());
    }

    private static List<PlannedMove> plan(
            MoveGoal goal,
            ShardMap map,
            Map<Integer, Long> sizes,
            Collection<String> databases,
            Map<Integer, String> underWay) {
        return new MovePlanner(map, sizes, new TreeSet<>(databases), underWay).moves(goal);
    }

    private static ShardMap map(String... homes) {
        List<ShardOwnership> claims = new ArrayList<>();
        Arrays.stream(homes).forEach(home -> claims.add(new ShardOwnership(claims.size(), home, 1)));
        return new ShardMap(homes.length, claims, Map.of());
    }
}
