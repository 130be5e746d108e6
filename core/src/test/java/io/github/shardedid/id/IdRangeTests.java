package io.github.shardedid.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class IdRangeTests {
    private static final IdLayout LAYOUT = IdLayout.DEFAULT;
    private static final Instant FROM = IdLayout.PUBLISHED_EPOCH.plusMillis(1_000);
    private static final Instant TO = IdLayout.PUBLISHED_EPOCH.plusMillis(2_000);

    @Test
    void aShardsRangeHoldsItsFirstAndItsLastIdOfTheInterval() {
        IdRange range = LAYOUT.range(FROM, TO, 5);

        assertThat(range).isEqualTo(new IdRange(LAYOUT.encode(1_000, 5, 0), LAYOUT.encode(2_000, 5, 1023)));
        assertThat(range.contains(LAYOUT.encode(1_000, 5, 0))).isTrue();
        assertThat(range.contains(LAYOUT.encode(1_500, 5, 7))).isTrue();
        assertThat(range.contains(LAYOUT.encode(2_000, 5, 1023))).isTrue();
        assertThat(range.contains(LAYOUT.encode(999, 5, 1023))).isFalse();
        assertThat(range.contains(LAYOUT.encode(2_001, 5, 0))).isFalse();
    }

    @Test
    void theRangeOverAllShardsHoldsTheFirstIdOfTheFirstAndTheLastIdOfTheLastShard() {
        IdRange range = LAYOUT.range(FROM, TO);

        assertThat(range).isEqualTo(new IdRange(1_000L << 23, (2_001L << 23) - 1));
        assertThat(range.contains(LAYOUT.encode(1_000, 0, 0))).isTrue();
        assertThat(range.contains(LAYOUT.encode(2_000, 8191, 1023))).isTrue();
        assertThat(range.contains(LAYOUT.encode(999, 8191, 1023))).isFalse();
        assertThat(range.contains(LAYOUT.encode(2_001, 0, 0))).isFalse();
    }

    @Test
    void aSingleMillisecondHasAllIdsOfOneShardAndOfAll() {
        IdRange ofOne = LAYOUT.range(FROM, FROM.plusNanos(999_999), 8191);
        IdRange ofAll = LAYOUT.range(FROM, FROM);

        assertThat(ofOne.last() - ofOne.first()).isEqualTo(1023);
        assertThat(ofAll.last() - ofAll.first()).isEqualTo(8192 * 1024 - 1);
    }

    @Test
    void theRangeOfAllTimeEndsWithTheLargestId() {
        assertThat(LAYOUT.range(LAYOUT.epoch(), LAYOUT.lastInstant())).isEqualTo(new IdRange(0, Long.MAX_VALUE));
    }

    @Test
    void anIntervalThatRunsBackwardsIsRefusedWithItsTwoInstants() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LAYOUT.range(TO, FROM))
                .withMessageContainingAll(TO.toString(), FROM.toString());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LAYOUT.range(TO, FROM, 5))
                .withMessageContainingAll(TO.toString(), FROM.toString());
    }

    @Test
    void intervalsOutsideTheEpochAndUnknownShardsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> LAYOUT.range(FROM.minusSeconds(2), TO));
        assertThatIllegalArgumentException().isThrownBy(() -> LAYOUT.range(FROM, Instant.MAX));
        assertThatThrownBy(() -> LAYOUT.range(FROM, TO, 8192))
                .isInstanceOf(MalformedIdException.class)
                .hasMessageContaining("shard 8192");
    }

    @Test
    void aRangeRunsUpwardsFromZero() {
        assertThat(new IdRange(7, 7).contains(7)).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> new IdRange(2, 1)).withMessageContaining("2 to 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new IdRange(-1, 1))
                .withMessageContaining("-1 to 1");
    }
}
