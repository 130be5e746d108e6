package io.github.shardedid.example.load;

import java.util.Arrays;

/** A histogram of times. The width of each bucket is 1/16 of its value. Not thread-safe. */
final class Latencies {
    private static final int STEPS = 16;
    private static final int BUCKETS = 40 * STEPS;

    private final long[] counts = new long[BUCKETS];
    private long total;
    private long longestMicros;

    void add(long micros) {
        counts[bucket(Math.max(0, micros))]++;
        total++;
        longestMicros = Math.max(longestMicros, micros);
    }

    void addAll(Latencies others) {
        Arrays.setAll(counts, i -> counts[i] + others.counts[i]);
        total += others.total;
        longestMicros = Math.max(longestMicros, others.longestMicros);
    }

    long count() {
        return total;
    }

    double longestMillis() {
        return longestMicros / 1000.0;
    }

    /** The percentile for a fraction such as 0.99; 0 if there are no times. */
    double millisOf(double part) {
        long wanted = (long) Math.ceil(part * total);
        long seen = 0;
        for (int bucket = 0; bucket < BUCKETS && wanted > 0; bucket++) {
            seen += counts[bucket];
            if (seen >= wanted) {
                return Math.min(upperMicros(bucket), longestMicros) / 1000.0;
            }
        }
        return 0;
    }

    /** Values below 16 have a bucket each; above, each power of two has 16 buckets. */
    static int bucket(long micros) {
        if (micros < STEPS) {
            return (int) micros;
        }
        int power = 63 - Long.numberOfLeadingZeros(micros);
        int step = (int) (micros >>> (power - 4)) & (STEPS - 1);
        return Math.min(BUCKETS - 1, (power - 3) * STEPS + step);
    }

    static long upperMicros(int bucket) {
        if (bucket < STEPS) {
            return bucket;
        }
        int power = bucket / STEPS + 3;
        return (1L << power) + (((long) bucket % STEPS + 1) << (power - 4)) - 1;
    }
}
