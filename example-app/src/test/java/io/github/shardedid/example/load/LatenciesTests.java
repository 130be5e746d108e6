package io.github.shardedid.example.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LatenciesTests {
    @Test
    void everyValueIsInABucketThatIsNotMuchWider() {
        for (long micros = 0; micros < 40_000_000; micros = micros * 17 / 16 + 1) {
            long upper = Latencies.upperMicros(Latencies.bucket(micros));
            assertThat(upper).as("%d µs", micros).isBetween(micros, micros + micros / 16 + 1);
        }
    }

    @Test
    void percentilesAreThoseOfTheTimes() {
        Latencies latencies = new Latencies();
        long seed = new Random().nextLong();
        new Random(seed).longs(100_000, 0, 100_000).forEach(latencies::add);

        assertThat(latencies.millisOf(0.5)).as("seed %d", seed).isCloseTo(50, withPercentage(8));
        assertThat(latencies.millisOf(0.99)).as("seed %d", seed).isCloseTo(99, withPercentage(8));
        assertThat(latencies.millisOf(1)).isEqualTo(latencies.longestMillis());
    }

    @Test
    void nothingHasNoTime() {
        assertThat(new Latencies().millisOf(0.99)).isZero();
    }
}
