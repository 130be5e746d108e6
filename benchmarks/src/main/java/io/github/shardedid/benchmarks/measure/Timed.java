package io.github.shardedid.benchmarks.measure;

import java.util.concurrent.TimeUnit;

/** How long calls take, on the clock. */
public final class Timed {
    private static final double NANOS_OF_A_MICRO = TimeUnit.MICROSECONDS.toNanos(1);

    private Timed() {}

    /** Something that is done many times. */
    @FunctionalInterface
    public interface Call {
        void run() throws Exception;
    }

    /** The mean of so many calls, in microseconds. */
    public static double micros(int times, Call call) throws Exception {
        long start = System.nanoTime();
        for (int i = 0; i < times; i++) {
            call.run();
        }
        return (System.nanoTime() - start) / NANOS_OF_A_MICRO / times;
    }
}
