package io.github.shardedid.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which layouts there can be, the 32-bit one among them, and who owns which part of the sequence. */
class IdLayoutFieldsTests {
    private static final Instant EPOCH = Instant.parse("2024-01-01T00:00:00Z");
    private static final IdLayout SECONDS = new IdLayout(EPOCH, TimestampUnit.SECONDS, 25, 2, 5, 0);
    private static final IdLayout NODES_32 = IdLayout.DEFAULT.withJvmNodes(32);

    @Test
    void the32BitVariantHasFourShardsOf32IdsPerSecond() {
        assertThat(SECONDS.bits()).isEqualTo(32);
        assertThat(SECONDS.maxShards()).isEqualTo(4);
        assertThat(SECONDS.databaseSequences()).isEqualTo(32);
        assertThat(SECONDS.encode(1, 2, 3)).isEqualTo(0b1_10_00011);
        assertThat(SECONDS.decode(0b1_10_00011))
                .isEqualTo(new DecodedId(0b1_10_00011, EPOCH.plusSeconds(1), 2, OptionalInt.empty(), 3));
    }

    @Test
    void the32BitVariantEndsAtTheSignBitOfAnInt() {
        assertThat(SECONDS.encode((1L << 24) - 1, 3, 31)).isEqualTo(Integer.MAX_VALUE);
        assertThat(SECONDS.maxId()).isEqualTo(Integer.MAX_VALUE);
        assertThat(SECONDS.lastInstant()).isEqualTo(Instant.parse("2024-07-13T04:20:15Z"));
        assertThat(SECONDS.isId(1L << 31)).isFalse();
        assertThatThrownBy(() -> SECONDS.encode(1L << 24, 0, 0)).isInstanceOf(MalformedIdException.class);
        assertThatThrownBy(() -> SECONDS.shardOf(1L << 31))
                .isInstanceOf(MalformedIdException.class)
                .hasMessageContaining("0 to 2147483647");
    }

    @Test
    void secondsAreRoundedDownAndTheLastOneIsWhole() {
        assertThat(SECONDS.timestampOf(EPOCH.plusMillis(1_999))).isEqualTo(1);
        assertThat(SECONDS.timestampOf(SECONDS.lastInstant().plusMillis(999))).isEqualTo((1L << 24) - 1);
        assertThatThrownBy(() -> SECONDS.timestampOf(SECONDS.lastInstant().plusSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theLowerHalfOfTheSequenceIsTheDatabases() {
        assertThat(IdLayout.DEFAULT.databaseSequences()).isEqualTo(512);
        assertThat(IdLayout.DEFAULT.sequencesPerNode()).isEqualTo(8);
        assertThat(NODES_32.sequencesPerNode()).isEqualTo(16);
        assertThat(nodeOf(0)).isEqualTo(-1);
        assertThat(nodeOf(511)).isEqualTo(-1);
    }

    @Test
    void theUpperHalfBelongsToTheNodesInTurn() {
        assertThat(nodeOf(512)).isZero();
        assertThat(nodeOf(527)).isZero();
        assertThat(nodeOf(528)).isEqualTo(1);
        assertThat(nodeOf(905)).isEqualTo(24);
        assertThat(nodeOf(1007)).isEqualTo(30);
        assertThat(nodeOf(1008)).isEqualTo(31);
        assertThat(nodeOf(1023)).isEqualTo(31);
    }

    @Test
    void withoutNodesTheDatabaseHasTheWholeSequence() {
        IdLayout published = IdLayout.DEFAULT.withJvmNodes(0);

        assertThat(published.databaseSequences()).isEqualTo(1024);
        assertThat(published.sequencesPerNode()).isZero();
        assertThat(published.decode(1023).node()).isEmpty();
    }

    @Test
    void everyNumberOfNodesSharesOutTheUpperHalfExactly() {
        for (int nodes = 1; nodes <= 512; nodes *= 2) {
            IdLayout layout = IdLayout.DEFAULT.withJvmNodes(nodes);

            assertThat(layout.sequencesPerNode() * nodes).isEqualTo(512);
            assertThat(layout.decode(512).node()).hasValue(0);
            assertThat(layout.decode(1023).node()).hasValue(nodes - 1);
        }
    }

    @Test
    void refusesNodesThatDoNotDivideTheUpperHalf() {
        for (int nodes : new int[] {-1, 3, 31, 1024, Integer.MIN_VALUE}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> IdLayout.DEFAULT.withJvmNodes(nodes))
                    .withMessageContainingAll("jvm-nodes", "power of two up to 512", "not " + nodes);
        }
    }

    @Test
    void refusesFieldsThatDoNotMakeUp32Or64Bits() {
        assertRefused(41, 13, 9, "64 bits (bigint) or 32 bits (int)", "41·13·9 has 63");
        assertRefused(42, 13, 10, "42·13·10 has 65");
        assertRefused(41, 0, 23, "1 to 20 shard bits", "41·0·23");
        assertRefused(33, 21, 10, "1 to 20 shard bits", "33·21·10");
        assertRefused(50, 14, 0, "20 sequence bits", "50·14·0");
        assertRefused(1, 20, 11, "2 or more timestamp bits", "1·20·11");
    }

    @Test
    void refusesTimestampsBeyondTheTimeThatCanBeCountedInMilliseconds() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new IdLayout(EPOCH, TimestampUnit.SECONDS, 62, 1, 1, 0))
                .withMessageContainingAll("62", "seconds", EPOCH.toString());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdLayout.DEFAULT.withEpoch(Instant.MAX.truncatedTo(ChronoUnit.DAYS)))
                .withMessageContaining("Shorten the timestamp or choose another epoch");
    }

    @Test
    void refusesAnEpochBetweenTwoMilliseconds() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdLayout.DEFAULT.withEpoch(EPOCH.plusNanos(1)))
                .withMessageContainingAll("whole number of milliseconds", "2024-01-01T00:00:00.000000001Z");
    }

    @Test
    void anotherEpochMovesOnlyTheTime() {
        IdLayout later = IdLayout.DEFAULT.withEpoch(EPOCH);

        assertThat(later.decode(0x2957FA0C14F789L).instant()).isEqualTo(EPOCH.plusMillis(1_387_263_000L));
        assertThat(later.shardOf(0x2957FA0C14F789L)).isEqualTo(1341);
        assertThat(later.timestampOf(EPOCH)).isZero();
        assertThat(later.withEpoch(IdLayout.PUBLISHED_EPOCH)).isEqualTo(IdLayout.DEFAULT);
    }

    @Test
    void saysWhatItIsInOneLine() {
        assertThat(IdLayout.DEFAULT)
                .hasToString("41·13·10 bits in milliseconds since 2011-08-24T21:07:01.721Z, 64 JVM nodes");
        assertThat(SECONDS).hasToString("25·2·5 bits in seconds since 2024-01-01T00:00:00Z, 0 JVM nodes");
    }

    @Test
    void randomLayoutsRoundTripTheirIds() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            int shardBits = random.nextInt(1, 21);
            int sequenceBits = random.nextInt(1, 21);
            IdLayout layout = new IdLayout(
                    EPOCH, TimestampUnit.MILLISECONDS, 64 - shardBits - sequenceBits, shardBits, sequenceBits, 0);
            long id = random.nextLong() & Long.MAX_VALUE;
            DecodedId decoded = layout.decode(id);

            assertThat(layout.encode(layout.timestampOf(decoded.instant()), decoded.shard(), decoded.sequence()))
                    .as("seed %d, %s", seed, layout)
                    .isEqualTo(id);
        }
    }

    private static int nodeOf(int sequence) {
        long id = NODES_32.encode(77, 5, sequence);
        return NODES_32.decode(id).node().orElse(-1);
    }

    private static void assertRefused(int timestampBits, int shardBits, int sequenceBits, String... messageParts) {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new IdLayout(EPOCH, TimestampUnit.MILLISECONDS, timestampBits, shardBits, sequenceBits, 0))
                .withMessageContainingAll(messageParts);
    }
}
