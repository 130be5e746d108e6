package io.github.shardedid.example.load;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The measurements of the clients of a load, per second. Thread-safe. */
final class LoadFigures {
    private static final int SECONDS = 60;
    private static final int RECENT = 10;

    private final Second[] seconds = new Second[SECONDS];
    private long total;
    private long failed;
    private @Nullable String lastFailure;

    private static final class Second {
        private final long number;
        private final Latencies latencies = new Latencies();
        private int failed;

        Second(long number) {
            this.number = number;
        }
    }

    /** Records a request. The time of a failed request is not part of the percentiles. */
    synchronized void add(long micros, @Nullable String failure) {
        Second now = second(now());
        total++;
        if (failure == null) {
            now.latencies.add(micros);
        } else {
            now.failed++;
            failed++;
            lastFailure = failure;
        }
    }

    private Second second(long number) {
        int at = (int) (number % SECONDS);
        if (seconds[at] == null || seconds[at].number != number) {
            seconds[at] = new Second(number);
        }
        return seconds[at];
    }

    /** Excludes the current second, which is incomplete. */
    synchronized Seen seen() {
        long now = now();
        List<Point> series = new ArrayList<>();
        Latencies recent = new Latencies();
        long counted = 0;
        for (long number = now - SECONDS + 1; number < now; number++) {
            Second second = seconds[(int) (Math.max(0, number) % SECONDS)];
            boolean there = second != null && second.number == number;
            series.add(there ? point(second) : new Point(0, 0, 0));
            if (there && number >= now - RECENT) {
                recent.addAll(second.latencies);
                counted++;
            }
        }
        return new Seen(
                total,
                failed,
                lastFailure,
                counted == 0 ? 0 : recent.count() / counted,
                recent.millisOf(0.5),
                recent.millisOf(0.95),
                recent.millisOf(0.99),
                recent.longestMillis(),
                series);
    }

    private static Point point(Second second) {
        return new Point(second.latencies.count(), second.latencies.longestMillis(), second.failed);
    }

    private static long now() {
        return System.nanoTime() / 1_000_000_000L + Long.MAX_VALUE / 4_000_000_000L;
    }

    /**
     * The figures. Times are in milliseconds, and percentiles are those of the last ten seconds.
     *
     * @param series the last seconds in ascending order
     */
    record Seen(
            long total,
            long failed,
            @Nullable String lastFailure,
            long perSecond,
            double median,
            double p95,
            double p99,
            double longest,
            List<Point> series) {}

    /** The figures of one second. */
    record Point(long done, double longest, int failed) {}
}
