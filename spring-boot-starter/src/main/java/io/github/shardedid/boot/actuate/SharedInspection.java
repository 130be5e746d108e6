package io.github.shardedid.boot.actuate;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An inspection that runs once at a time, however many ask, and whose result or failure is kept for a while. Safe for use by several threads. */
final class SharedInspection<T> {
    private final ReentrantLock running = new ReentrantLock();
    private final Duration kept;
    private final Supplier<T> inspection;
    private @Nullable Supplier<T> last;
    private long ended;

    /** Inspects nothing yet. */
    SharedInspection(Duration kept, Supplier<T> inspection) {
        this.kept = kept;
        this.inspection = inspection;
    }

    /** Returns the kept result, or waits for the inspection. */
    T get() {
        running.lock();
        try {
            Supplier<T> outcome = last;
            if (outcome == null || System.nanoTime() - ended >= kept.toNanos()) {
                outcome = inspected();
                ended = System.nanoTime();
                last = outcome;
            }
            return outcome.get();
        } finally {
            running.unlock();
        }
    }

    private Supplier<T> inspected() {
        try {
            T result = inspection.get();
            return () -> result;
        } catch (RuntimeException e) {
            return () -> {
                throw e;
            };
        }
    }
}
