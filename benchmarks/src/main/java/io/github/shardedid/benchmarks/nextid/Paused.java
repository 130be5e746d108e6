package io.github.shardedid.benchmarks.nextid;

import io.github.shardedid.benchmarks.measure.Timed;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Calls so far apart that each is the only one of its millisecond. */
final class Paused {
    /** The pause as {@code pg_sleep} wants it. */
    static final String SECONDS = "0.0013";

    private static final long NANOS = TimeUnit.MICROSECONDS.toNanos(1_300);

    private Paused() {}

    /** The mean of a call without the slowest tenth, which the scheduler made, in microseconds. */
    static double micros(int calls, Timed.Call call) throws Exception {
        double[] micros = new double[calls];
        for (int i = 0; i < calls; i++) {
            LockSupport.parkNanos(NANOS);
            micros[i] = Timed.micros(1, call);
        }
        return Arrays.stream(micros)
                .sorted()
                .limit(Math.max(1, calls * 9L / 10))
                .average()
                .orElse(0);
    }
}
