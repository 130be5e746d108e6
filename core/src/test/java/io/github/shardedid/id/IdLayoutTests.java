package io.github.shardedid.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The published vectors, the ends of the fields, and the inverse over random ids. */
class IdLayoutTests {
    private static final IdLayout LAYOUT = IdLayout.DEFAULT;
    private static final long PUBLISHED_ID = 11_637_205_501_278_089L;

    @Test
    void thePublishedVectorIsMadeOfItsFields() {
        assertThat(LAYOUT.encode(1_387_263_000L, 31341 % 2000, 5001 % 1024)).isEqualTo(PUBLISHED_ID);
        assertThat(PUBLISHED_ID).isEqualTo(0x2957FA0C14F789L);
    }

    @Test
    void thePublishedVectorComesApartAgain() {
        DecodedId decoded = LAYOUT.withJvmNodes(0).decode(PUBLISHED_ID);

        assertThat(decoded.id()).isEqualTo(PUBLISHED_ID);
        assertThat(decoded.instant()).isEqualTo(Instant.parse("2011-09-09T22:28:04.721Z"));
        assertThat(decoded.shard()).isEqualTo(1341);
        assertThat(decoded.sequence()).isEqualTo(905);
        assertThat(decoded.node()).isEmpty();
        assertThat(LAYOUT.shardOf(PUBLISHED_ID)).isEqualTo(1341);
    }

    @Test
    void theFirstIdIsZeroAtThePublishedEpoch() {
        assertThat(LAYOUT.encode(0, 0, 0)).isZero();
        assertThat(LAYOUT.decode(0).instant()).isEqualTo(Instant.parse("2011-08-24T21:07:01.721Z"));
        assertThat(LAYOUT.timestampOf(IdLayout.PUBLISHED_EPOCH)).isZero();
    }

    @Test
    void theLastIdIsTheLargestPositiveNumberJustBeforeTheEpochEnds() {
        assertThat(LAYOUT.encode((1L << 40) - 1, 8191, 1023)).isEqualTo(Long.MAX_VALUE);
        assertThat(LAYOUT.maxId()).isEqualTo(Long.MAX_VALUE);
        assertThat(LAYOUT.maxTimestamp()).isEqualTo((1L << 40) - 1);
        assertThat(LAYOUT.lastInstant()).isEqualTo(Instant.parse("2046-06-27T17:00:49.496Z"));
        assertThat(LAYOUT.decode(Long.MAX_VALUE).instant()).isEqualTo(LAYOUT.lastInstant());
    }

    @Test
    void theFirstTimestampThatWouldReachTheSignBitIsRefused() {
        assertThat((1L << 40) << 23).as("what the published function returns").isEqualTo(Long.MIN_VALUE);

        assertThatThrownBy(() -> LAYOUT.encode(1L << 40, 0, 0))
                .isInstanceOf(MalformedIdException.class)
                .hasMessageContainingAll("timestamp 1099511627776", LAYOUT.toString(), "0 to 1099511627775");
    }

    @Test
    void instantsOutsideTheEpochAreRefusedWithTheTimeThatFits() {
        Instant last = LAYOUT.lastInstant();

        assertThat(LAYOUT.timestampOf(last)).isEqualTo(LAYOUT.maxTimestamp());
        assertThat(LAYOUT.timestampOf(last.plusNanos(999_999))).isEqualTo(LAYOUT.maxTimestamp());
        for (Instant outside :
                new Instant[] {last.plusMillis(1), IdLayout.PUBLISHED_EPOCH.minusNanos(1), Instant.MIN, Instant.MAX}) {
            assertThatThrownBy(() -> LAYOUT.timestampOf(outside))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll(
                            outside.toString(), "2011-08-24T21:07:01.721Z", "2046-06-27T17:00:49.496Z");
        }
    }

    @Test
    void theTimeLeftRunsOutAtTheLastInstant() {
        Instant last = LAYOUT.lastInstant();

        assertThat(LAYOUT.timeLeft(last.minusSeconds(3))).isEqualTo(Duration.ofSeconds(3));
        assertThat(LAYOUT.timeLeft(last.plusSeconds(3))).isEqualTo(Duration.ofSeconds(-3));
    }

    @Test
    void fieldsThatDoNotFitAreRefusedNotCutOff() {
        assertMalformed(() -> LAYOUT.encode(-1, 0, 0), "timestamp -1", "0 to 1099511627775");
        assertMalformed(() -> LAYOUT.encode(0, 8192, 0), "shard 8192", "0 to 8191");
        assertMalformed(() -> LAYOUT.encode(0, -1, 0), "shard -1", "0 to 8191");
        assertMalformed(() -> LAYOUT.encode(0, 0, 1024), "sequence 1024", "0 to 1023");
        assertMalformed(() -> LAYOUT.encode(0, 0, -1), "sequence -1", "0 to 1023");
    }

    @Test
    void negativeNumbersAreNoIds() {
        assertThat(LAYOUT.isId(-1)).isFalse();
        assertThat(LAYOUT.isId(Long.MIN_VALUE)).isFalse();
        assertThat(LAYOUT.isId(0)).isTrue();
        assertThat(LAYOUT.isId(Long.MAX_VALUE)).isTrue();
        assertMalformed(() -> LAYOUT.shardOf(-1), "-1 is no id", LAYOUT.toString(), "JavaScript");
        assertMalformed(() -> LAYOUT.decode(Long.MIN_VALUE), Long.MIN_VALUE + " is no id");
    }

    @Test
    void everyIdIsTheSumOfItsFields() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++) {
            long timestamp = random.nextLong() & LAYOUT.maxTimestamp();
            int shard = random.nextInt(8192);
            int sequence = random.nextInt(1024);
            long id = LAYOUT.encode(timestamp, shard, sequence);
            DecodedId decoded = LAYOUT.decode(id);

            // Sums and products, not shifts: another way to the same number.
            assertThat(id).as("seed %d", seed).isEqualTo(timestamp * 8_388_608L + shard * 1024L + sequence);
            assertThat(LAYOUT.timestampOf(decoded.instant()))
                    .as("seed %d", seed)
                    .isEqualTo(timestamp);
            assertThat(decoded.shard()).as("seed %d", seed).isEqualTo(shard);
            assertThat(decoded.sequence()).as("seed %d", seed).isEqualTo(sequence);
        }
    }

    @Test
    void idsSortByTimeWhateverTheirShard() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++) {
            long earlier = random.nextLong(LAYOUT.maxTimestamp());
            long later = random.nextLong(earlier + 1, LAYOUT.maxTimestamp() + 1);

            assertThat(LAYOUT.encode(earlier, random.nextInt(8192), random.nextInt(1024)))
                    .as("seed %d", seed)
                    .isLessThan(LAYOUT.encode(later, random.nextInt(8192), random.nextInt(1024)));
        }
    }

    private static void assertMalformed(Runnable call, String... messageParts) {
        assertThatThrownBy(call::run).isInstanceOf(MalformedIdException.class).hasMessageContainingAll(messageParts);
    }
}
