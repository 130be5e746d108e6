package io.github.shardedid.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class IdTextTests {
    private static final IdLayout LAYOUT = IdLayout.DEFAULT;
    private static final IdLayout INT = new IdLayout(IdLayout.PUBLISHED_EPOCH, TimestampUnit.SECONDS, 25, 2, 5, 0);

    @Test
    void thePublishedIdHasAShortText() {
        assertThat(LAYOUT.toText(0x2957FA0C14F789L)).isEqualTo("pV_oMFPeJ");
        assertThat(LAYOUT.fromText("pV_oMFPeJ")).isEqualTo(11_637_205_501_278_089L);
    }

    @Test
    void theEndsOfTheIdSpaceHaveTheShortestAndTheLongestText() {
        assertThat(LAYOUT.toText(0)).isEqualTo("A");
        assertThat(LAYOUT.toText(62)).isEqualTo("-");
        assertThat(LAYOUT.toText(63)).isEqualTo("_");
        assertThat(LAYOUT.toText(64)).isEqualTo("BA");
        assertThat(LAYOUT.toText(Long.MAX_VALUE)).isEqualTo("H__________");
        assertThat(LAYOUT.fromText("A")).isZero();
        assertThat(LAYOUT.fromText("H__________")).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void everyIdHasOneUrlSafeTextAndItsInverse() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++) {
            long id = random.nextLong() >>> random.nextInt(1, 64);
            String text = LAYOUT.toText(id);

            assertThat(text).as("seed %d", seed).matches("A|[B-Za-z0-9_-][A-Za-z0-9_-]{0,10}");
            assertThat(LAYOUT.fromText(text)).as("seed %d", seed).isEqualTo(id);
        }
    }

    @Test
    void textsThatStandForNoIdAreRefused() {
        String[] refused = {"", " ", "AA", "AB", "B ", "B=", "B+", "B/", "ä", "\uFF22", "BAAAAAAAAAAA", "B\n"};
        for (String text : refused) {
            assertThatThrownBy(() -> LAYOUT.fromText(text))
                    .isInstanceOf(MalformedIdException.class)
                    .hasMessageContainingAll("\"" + text + "\"", "1 to 11 characters", "without leading A");
        }
    }

    @Test
    void textsOfNumbersBeyondTheLargestIdAreRefused() {
        for (String text : new String[] {"IAAAAAAAAAA", "P__________", "Q__________", "___________"}) {
            assertThatThrownBy(() -> LAYOUT.fromText(text))
                    .isInstanceOf(MalformedIdException.class)
                    .hasMessageContainingAll("\"" + text + "\"", "9223372036854775807");
        }
    }

    @Test
    void aLayoutOf32BitsHasShorterTexts() {
        assertThat(INT.toText(Integer.MAX_VALUE)).isEqualTo("B_____");
        assertThat(INT.fromText("B_____")).isEqualTo(Integer.MAX_VALUE);
        assertThatThrownBy(() -> INT.fromText("CAAAAA"))
                .isInstanceOf(MalformedIdException.class)
                .hasMessageContainingAll("\"CAAAAA\"", INT.toString());
        assertThatThrownBy(() -> INT.toText(1L << 31)).isInstanceOf(MalformedIdException.class);
    }

    @Test
    void numbersThatAreNoIdsHaveNoText() {
        assertThatThrownBy(() -> LAYOUT.toText(-1))
                .isInstanceOf(MalformedIdException.class)
                .hasMessageContaining("-1 is no id");
    }
}
