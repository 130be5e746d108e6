package io.github.shardedid.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.ClusterConfigurationException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class EpochCheckTests {
    private static final Instant EPOCH = Instant.parse("2024-01-01T00:00:00Z");
    private static final IdLayout LAYOUT = IdLayout.DEFAULT.withEpoch(EPOCH);

    /** 194 days and some hours. */
    private static final IdLayout INT = new IdLayout(EPOCH, TimestampUnit.SECONDS, 25, 2, 5, 0);

    @Test
    void theFirstAndTheLastStepOfTheTimeAreAccepted() {
        for (IdLayout layout : new IdLayout[] {LAYOUT, INT}) {
            Instant end = layout.lastInstant().plusMillis(layout.unit().millis());
            assertThatCode(() -> EpochCheck.requireTime(layout, EPOCH)).doesNotThrowAnyException();
            assertThatCode(() -> EpochCheck.requireTime(layout, end.minusNanos(1)))
                    .doesNotThrowAnyException();
            assertThatExceptionOfType(ClusterConfigurationException.class)
                    .isThrownBy(() -> EpochCheck.requireTime(layout, end))
                    .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.EXHAUSTED_EPOCH);
            assertThatExceptionOfType(ClusterConfigurationException.class)
                    .isThrownBy(() -> EpochCheck.requireTime(layout, EPOCH.minusNanos(1)))
                    .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.FUTURE_EPOCH);
        }
    }

    @Test
    void aTimeThatIsOverIsToldWithItsEndTheLayoutAndWhatToDo() {
        assertThatExceptionOfType(ClusterConfigurationException.class)
                .isThrownBy(() -> EpochCheck.requireTime(LAYOUT, Instant.parse("2062-01-01T00:00:00Z")))
                .withMessageContainingAll(
                        "41·13·10 bits in milliseconds since 2024-01-01T00:00:00Z",
                        "2058-11-03T19:53:47.775Z, 3.2 years ago",
                        "2062-01-01T00:00:00Z",
                        "Move the rows to a new cluster")
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.EXHAUSTED_EPOCH);
    }

    @Test
    void anEpochInTheFutureIsToldWithTheClockAndWhatToDo() {
        assertThatExceptionOfType(ClusterConfigurationException.class)
                .isThrownBy(() -> EpochCheck.requireTime(LAYOUT, EPOCH.minus(Duration.ofDays(90))))
                .withMessageContainingAll(
                        "2024-01-01T00:00:00Z", "90 days", "2023-10-03T00:00:00Z", "negative", "in the past")
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.FUTURE_EPOCH);
    }

    @Test
    void theLastThreeYearsOrTheLastTenthAreWarnedOfWithTheEndAndTheTimeLeft() {
        Instant end = LAYOUT.lastInstant();
        assertThat(EpochCheck.warning(LAYOUT, end.minus(Duration.ofDays(3 * 365))))
                .isEmpty();
        assertThat(EpochCheck.warning(LAYOUT, end.minus(Duration.ofDays(3 * 365 - 1))))
                .get()
                .asString()
                .contains("2058-11-03T19:53:47.775Z", "3.0 years", "Plan to move");

        assertThat(EpochCheck.warning(INT, EPOCH)).isEmpty();
        assertThat(EpochCheck.warning(INT, INT.lastInstant().minus(Duration.ofDays(20))))
                .isEmpty();
        assertThat(EpochCheck.warning(INT, INT.lastInstant().minus(Duration.ofDays(19))))
                .get()
                .asString()
                .contains("19 days");
        assertThat(EpochCheck.warning(INT, INT.lastInstant().minusSeconds(7)))
                .get()
                .asString()
                .contains("7 seconds");
    }
}
