package io.github.shardedid.benchmarks.measure;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Counts the bytes that the current thread allocates. */
public final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    @FunctionalInterface
    public interface Work {
        void run() throws Exception;
    }

    /** The bytes allocated by all of some work, and by reading the counter. */
    public static long by(Work work) throws Exception {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        work.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    /** The bytes that a call allocates on average. */
    public static long perCall(int calls, Runnable call) throws Exception {
        return by(() -> {
                    for (int i = 0; i < calls; i++) {
                        call.run();
                    }
                })
                / calls;
    }
}
