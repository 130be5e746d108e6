package io.github.shardedid.example.problem;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Logs requests that fail because a database is down: one line a minute. */
final class OutageLog {
    private static final long EVERY = TimeUnit.MINUTES.toNanos(1);

    private final Consumer<String> log;
    private final LongSupplier clock;
    private final AtomicLong next;
    private final AtomicLong failed = new AtomicLong();

    OutageLog(Consumer<String> log, LongSupplier clock) {
        this.log = log;
        this.clock = clock;
        this.next = new AtomicLong(clock.getAsLong());
    }

    /** Counts a failed request. */
    void add(String reason) {
        failed.incrementAndGet();
        long now = clock.getAsLong();
        long due = next.get();
        if (now - due >= 0 && next.compareAndSet(due, now + EVERY)) {
            log.accept("Requests failed since the last such line: " + failed.getAndSet(0) + ", the last one because: "
                    + reason);
        }
    }
}
