package io.github.shardedid.example.load;

import java.util.ArrayList;
import java.util.Collections;
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
        private final List<Long> micros = new ArrayList<>();
        private long longest;
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
            now.micros.add(micros);
            now.longest = Math.max(now.longest, micros);
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
    Seen seen() {
        List<Long> recent = new ArrayList<>();
        List<Point> series = new ArrayList<>();
        int counted = 0;
        synchronized (this) {
            long now = now();
            for (long number = now - SECONDS + 1; number < now; number++) {
                Second second = seconds[(int) (Math.max(0, number) % SECONDS)];
                boolean there = second != null && second.number == number;
                series.add(there ? point(second) : new Point(0, 0, 0));
                if (there && number >= now - RECENT) {
                    recent.addAll(second.micros);
                    counted++;
                }
            }
        }
        Collections.sort(recent); // not while clients wait to record their writes
        return seen(recent, recent.size() / Math.max(1, counted), series);
    }

    private synchronized Seen seen(List<Long> recent, int perSecond, List<Point> series) {
        return new Seen(
                total,
                failed,
                lastFailure,
                perSecond,
                percentile(recent, 0.5),
                percentile(recent, 0.95),
                percentile(recent, 0.99),
                percentile(recent, 1),
                series);
    }

    /** In milliseconds; 0 if there are no times. */
    private static double percentile(List<Long> sortedMicros, double part) {
        return sortedMicros.isEmpty() ? 0 : sortedMicros.get((int) Math.ceil(part * sortedMicros.size()) - 1) / 1000.0;
    }

    private static Point point(Second second) {
        return new Point(second.micros.size(), second.longest / 1000.0, second.failed);
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
