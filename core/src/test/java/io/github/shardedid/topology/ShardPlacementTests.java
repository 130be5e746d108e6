package io.github.shardedid.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShardPlacementTests {
    private static final int ROWS = 40_000;

    @Test
    void eachShardGetsAsManyRows() {
        ShardMap map = new ShardMap(
                4,
                List.of(
                        new ShardOwnership(0, "pg1", 1),
                        new ShardOwnership(1, "pg1", 1),
                        new ShardOwnership(2, "pg1", 1),
                        new ShardOwnership(3, "pg2", 1)),
                Map.of());
        int[] rows = new int[4];
        IntStream.range(0, ROWS).forEach(i -> rows[ShardPlacement.even().shardFor("a user", map)]++);

        // 10,000 for each, with a standard deviation below 90.
        assertThat(rows)
                .satisfies(all -> assertThat(IntStream.of(all)).allMatch(count -> Math.abs(count - 10_000) < 700));
    }
}
