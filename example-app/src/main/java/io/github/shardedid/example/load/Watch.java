package io.github.shardedid.example.load;

import java.util.concurrent.atomic.AtomicLong;

/** The measurements of the clients that write to one shard while it moves. Thread-safe. */
final class Watch {
    private final int shard;
    private final AtomicLong writes = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong longestMicros = new AtomicLong();

    Watch(int shard) {
        this.shard = shard;
    }

    int shard() {
        return shard;
    }

    void add(long micros, boolean done) {
        (done ? writes : failed).incrementAndGet();
        longestMicros.accumulateAndGet(micros, Math::max);
    }

    Seen seen() {
        return new Seen(shard, writes.get(), failed.get(), longestMicros.get() / 1000.0);
    }

    /**
     * The figures.
     *
     * @param longest the longest write in milliseconds, which is the pause of a move as measured by clients
     */
    record Seen(int shard, long writes, long failed, double longest) {}
}
