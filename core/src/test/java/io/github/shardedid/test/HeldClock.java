package io.github.shardedid.test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Time that passes only when a test says so, but for a nanosecond with each reading. */
public final class HeldClock implements LongSupplier {
    private final AtomicLong now = new AtomicLong(System.nanoTime());

    @Override
    public long getAsLong() {
        return now.incrementAndGet();
    }

    /** Lets time pass. */
    public void advance(Duration time) {
        now.addAndGet(time.toNanos());
    }
}
