package io.github.shardedid.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.ClusterConfigurationException;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ShardRangesTests {
    @Test
    void readsNumbersAndRangesInAnyOrderWithBlanks() {
        assertThat(ShardRanges.parse("7").shards()).containsExactly(7);
        assertThat(ShardRanges.parse("0-3").shards()).containsExactly(0, 1, 2, 3);
        assertThat(ShardRanges.parse(" 9 , 0 - 2,5-5 ").shards()).containsExactly(0, 1, 2, 5, 9);
    }

    @Test
    void blankMeansNone() {
        assertThat(ShardRanges.parse("")).isEqualTo(ShardRanges.NONE);
        assertThat(ShardRanges.parse("  \t")).isEqualTo(ShardRanges.of());
        assertThat(ShardRanges.NONE.isEmpty()).isTrue();
        assertThat(ShardRanges.parse("0").isEmpty()).isFalse();
    }

    @Test
    void writesTheShortestText() {
        assertThat(ShardRanges.of(3, 1, 2, 9, 7, 8, 5)).hasToString("1-3, 5, 7-9");
        assertThat(ShardRanges.parse("1000-1999,0-999")).hasToString("0-1999");
        assertThat(ShardRanges.NONE).hasToString("");
    }

    @Test
    void readsBackWhatItWrites() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 1_000; i++) {
            ShardRanges ranges = ShardRanges.of(
                    random.ints(random.nextInt(60), 0, 100).distinct().toArray());

            assertThat(ShardRanges.parse(ranges.toString())).as("seed %d", seed).isEqualTo(ranges);
            assertThat(ShardRanges.parse(ranges.toString())).as("seed %d", seed).hasSameHashCodeAs(ranges);
        }
    }

    @Test
    void refusesWhatIsNeitherAShardNorARange() {
        for (String text : new String[] {"a", "-1", "1-", "-", "1-2-3", "1 2", "1.5", "12345678", "\u0661", "0x1"}) {
            assertThatThrownBy(() -> ShardRanges.parse(text))
                    .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.SHARD_RANGES)
                    .hasMessageContainingAll("\"" + text + "\"", "Use the format 0-999, 1500");
        }
        assertThatThrownBy(() -> ShardRanges.parse("0-9,,11"))
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.SHARD_RANGES)
                .hasMessageContaining("\"0-9,,11\"");
        assertThatThrownBy(() -> ShardRanges.parse("0-9,"))
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.SHARD_RANGES);
    }

    @Test
    void refusesRangesThatRunBackwardsOrRepeatAShard() {
        for (String text : new String[] {"3-1", "0-5, 5-9", "1, 1", "4, 0-9"}) {
            assertThatThrownBy(() -> ShardRanges.parse(text))
                    .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.SHARD_RANGES)
                    .hasMessageContainingAll("\"" + text + "\"", "Write each shard once");
        }
    }

    @Test
    void acceptsRangesThatGiveEveryShardOneDatabase() {
        assertThatCode(() -> ShardRanges.checkCover(ranges("pg1", "0-4, 8", "pg2", "5-7, 9", "pg3", ""), 10))
                .doesNotThrowAnyException();
    }

    @Test
    void refusesShardsGivenToTwoDatabases() {
        assertNoCover(10, ranges("pg1", "0-6", "pg2", "5-9"), "5-6", "pg2", "pg1=0-6", "exactly one database");
    }

    @Test
    void refusesShardsGivenToNone() {
        assertNoCover(10, ranges("pg1", "0-2", "pg2", "5-8"), "The shards 3-4, 9 of 10", "must be 0-9");
        assertNoCover(2, Map.of(), "The shards 0-1 of 2", "must be 0-1");
    }

    @Test
    void refusesShardsOutsideTheCluster() {
        assertNoCover(10, ranges("pg1", "0-10"), "database pg1", "0-10", "10 shards: 0-9");
    }

    @Test
    void checkingDoesNotChangeTheRanges() {
        ShardRanges one = ShardRanges.parse("0-4");
        ShardRanges.checkCover(Map.of("pg1", one, "pg2", ShardRanges.parse("5-9")), 10);

        assertThat(one).hasToString("0-4");
    }

    private static Map<String, ShardRanges> ranges(String... namesAndTexts) {
        Map<String, ShardRanges> ranges = new TreeMap<>();
        for (int i = 0; i < namesAndTexts.length; i += 2) {
            ranges.put(namesAndTexts[i], ShardRanges.parse(namesAndTexts[i + 1]));
        }
        return ranges;
    }

    private static void assertNoCover(int shardCount, Map<String, ShardRanges> ranges, String... messageParts) {
        assertThatThrownBy(() -> ShardRanges.checkCover(ranges, shardCount))
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.SHARD_RANGES)
                .hasMessageContainingAll(messageParts);
    }
}
