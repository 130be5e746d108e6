package io.github.shardedid.benchmarks.measure;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** How long calls of several threads took: counted in steps of a sixteenth, and the longest exactly. */
public final class Latencies {
    private static final int STEPS_BITS = 4;
    private static final int STEPS = 1 << STEPS_BITS;
    private static final double NANOS_OF_A_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final AtomicLongArray counts = new AtomicLongArray(Long.SIZE * STEPS);
    private final AtomicLong longest = new AtomicLong();

    /** Notes a call. */
    public void add(long nanos) {
        longest.accumulateAndGet(nanos, Math::max);
        counts.incrementAndGet(bucket(nanos));
    }

    private static int bucket(long nanos) {
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(STEPS, nanos));
        int step = (int) (Math.max(STEPS, nanos) >> (power - STEPS_BITS)) - STEPS;
        return power * STEPS + step;
    }

    /** The first nanosecond of a bucket. */
    private static double from(int bucket) {
        return (double) (STEPS + bucket % STEPS) * (1L << (bucket / STEPS)) / STEPS;
    }

    /** How many calls there were. */
    public long count() {
        long count = 0;
        for (int i = 0; i < counts.length(); i++) {
            count += counts.get(i);
        }
        return count;
    }

    /** The milliseconds within which a share of the calls came back. */
    public double millis(double share) {
        long wanted = (long) Math.ceil(share * count());
        long seen = 0;
        for (int i = 0; i < counts.length(); i++) {
            seen += counts.get(i);
            if (seen >= wanted && seen > 0) {
                return Math.min(longest(), from(i + 1) / NANOS_OF_A_MILLI);
            }
        }
        return longest();
    }

    /** The milliseconds of the longest call. */
    public double longest() {
        return longest.get() / NANOS_OF_A_MILLI;
    }

    /** The median, the 99th percentile, and the longest. */
    public String summary() {
        return String.format(Locale.ROOT, "%.2f / %.1f / %.0f ms", millis(0.5), millis(0.99), longest());
    }

    /** How many calls took less than what, for the raw output. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < counts.length(); i++) {
            if (counts.get(i) > 0) {
                text.append(
                        String.format(Locale.ROOT, "< %.3f ms: %d%n", from(i + 1) / NANOS_OF_A_MILLI, counts.get(i)));
            }
        }
        return text.toString();
    }
}
