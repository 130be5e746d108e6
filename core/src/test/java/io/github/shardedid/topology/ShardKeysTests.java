package io.github.shardedid.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Golden values. Rows lie where these say, so none of them may ever change; the hashes were computed by
 * {@code printf ada | sha256sum}, of which the first 8 digits count.
 */
class ShardKeysTests {
    @Test
    void aWholeNumberIsTakenModuloTheShards() {
        assertThat(ShardKeys.shardOf(31341, 2000)).isEqualTo(1341);
        assertThat(ShardKeys.shardOf(0, 2000)).isZero();
        assertThat(ShardKeys.shardOf(1999, 2000)).isEqualTo(1999);
        assertThat(ShardKeys.shardOf(2000, 2000)).isZero();
        assertThat(ShardKeys.shardOf(Long.MAX_VALUE, 2000)).isEqualTo(1807);
    }

    @Test
    void negativeNumbersCountFromTheUpperEnd() {
        assertThat(ShardKeys.shardOf(-1, 2000)).isEqualTo(1999);
        assertThat(ShardKeys.shardOf(-2000, 2000)).isZero();
        assertThat(ShardKeys.shardOf(Long.MIN_VALUE, 2000)).isEqualTo(192);
    }

    @Test
    void aTextIsTakenByTheFirst32BitsOfItsSha256() {
        assertThat(ShardKeys.shardOf("ada", 2000))
                .isEqualTo((int) (0xfdee430dL % 2000))
                .isEqualTo(381);
        assertThat(ShardKeys.shardOf("ada", 8192)).isEqualTo(781);
        assertThat(ShardKeys.shardOf("", 2000))
                .isEqualTo((int) (0xe3b0c442L % 2000))
                .isEqualTo(610);
        assertThat(ShardKeys.shardOf("user@example.com", 2000)).isEqualTo(1225);
    }

    @Test
    void aTextsBytesAreThoseOfUtf8WhateverThePlatform() {
        assertThat(ShardKeys.shardOf("Gr\u00FC\u00DFe, \u4E16\u754C", 2000)).isEqualTo(1732);
        assertThat(ShardKeys.shardOf("\uD83E\uDD8A", 2000))
                .isEqualTo((int) (0x0a9f72e8L % 2000))
                .isEqualTo(1800);
    }

    @Test
    void aUuidIsTakenByItsCanonicalTextInLowerCase() {
        UUID key = UUID.fromString("123E4567-E89B-12D3-A456-426614174000");

        assertThat(ShardKeys.shardOf(key, 2000))
                .isEqualTo((int) (0x986c0dc9L % 2000))
                .isEqualTo(249);
        assertThat(ShardKeys.shardOf(key, 8192)).isEqualTo(3529);
    }

    @Test
    void aClusterOfOneShardHasEverything() {
        assertThat(ShardKeys.shardOf(-77, 1)).isZero();
        assertThat(ShardKeys.shardOf("ada", 1)).isZero();
    }

    @Test
    void textsSpreadEvenlyOverTheShards() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int[] rows = new int[8];
        for (int i = 0; i < 80_000; i++) {
            rows[ShardKeys.shardOf("user-" + random.nextLong(), rows.length)]++;
        }

        // 10,000 each on average, with a standard deviation below 100: eight of them never happen by chance.
        assertThat(IntStream.of(rows)).as("seed %d", seed).allMatch(count -> Math.abs(count - 10_000) < 800);
    }
}
