package io.github.shardedid.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShardPlacementTests {
    private static final int ROWS = 40_000;

    /** Shards 0 to 2 on pg1, 3 on pg2. */
    private static final ShardMap MAP = map("pg1", "pg1", "pg1", "pg2");

    @Test
    void weightsMultiplyWhatEachShardOfADatabaseGets() {
        int[] rows = place(ShardPlacement.weighted(Map.of("pg2", 5)), MAP);

        // 5,000 for each shard of pg1 and 25,000 for that of pg2, with standard deviations below 100.
        assertThat(List.of(rows[0], rows[1], rows[2]))
                .allSatisfy(count -> assertThat(count).isBetween(4_400, 5_600));
        assertThat(rows[3]).isBetween(24_200, 25_800);
    }

    @Test
    void shardsOfADatabaseThatIsToBeEmptiedGetNothing() {
        int[] rows = place(ShardPlacement.weighted(Map.of("pg1", 0)), MAP);

        assertThat(rows).containsExactly(0, 0, 0, ROWS);
    }

    @Test
    void theFirstAndTheLastShardWithAWeightAreReached() {
        assertThat(place(ShardPlacement.weighted(Map.of("pg2", 0)), map("pg2", "pg1", "pg1", "pg2")))
                .satisfies(rows -> {
                    assertThat(rows[0] + rows[3]).isZero();
                    assertThat(rows[1]).isBetween(19_200, 20_800);
                });
    }

    @Test
    void theWeightOfAShardFollowsItsMove() {
        ShardPlacement placement = ShardPlacement.weighted(Map.of("pg1", 0));
        CurrentShardMap current = new CurrentShardMap(new Moving());
        assertThat(placement.shardFor("a user", current.get())).isEqualTo(3);

        ShardMap moved = current.refresh(current.get());

        assertThat(place(placement, moved)).containsExactly(ROWS, 0, 0, 0);
    }

    @Test
    void shardsWithoutAKnownHomeGetNothing() {
        ShardMap map = new ShardMap(3, List.of(new ShardOwnership(1, "pg1", 1)), Map.of("pg2", "down"));

        assertThat(place(ShardPlacement.weighted(Map.of("pg1", 0.1)), map)).containsExactly(0, ROWS, 0);
    }

    @Test
    void whereNoShardHasAWeightTheErrorSaysSo() {
        assertThatThrownBy(() ->
                        ShardPlacement.weighted(Map.of("pg1", 0, "pg2", 0)).shardFor("a user", MAP))
                .isInstanceOf(NoPlacementException.class)
                .hasMessageContainingAll("pg1=0.0", "pg2=0.0", "above 0");
    }

    @Test
    void weightsThatCannotBeAreRefusedWithTheirDatabase() {
        for (double weight : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY, 1_000_001}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ShardPlacement.weighted(Map.of("pg7", weight)))
                    .withMessageContainingAll("pg7", String.valueOf(weight));
        }
    }

    private static int[] place(ShardPlacement placement, ShardMap map) {
        int[] rows = new int[map.shardCount()];
        for (int i = 0; i < ROWS; i++) {
            rows[placement.shardFor("a user", map)]++;
        }
        return rows;
    }

    private static ShardMap map(String... homes) {
        return new ShardMap(
                homes.length,
                java.util.stream.IntStream.range(0, homes.length)
                        .mapToObj(shard -> new ShardOwnership(shard, homes[shard], 1))
                        .toList(),
                Map.of());
    }

    /** First shard 3 alone is on pg2, then shard 0 alone. */
    private static final class Moving implements ShardMapSource {
        private boolean moved;

        @Override
        public ShardMap load() {
            ShardMap map = moved ? map("pg2", "pg1", "pg1", "pg1") : MAP;
            moved = true;
            return map;
        }
    }
}
