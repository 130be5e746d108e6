package io.github.shardedid.example.load;

import java.util.concurrent.atomic.AtomicLong;

/** What writers to one shard see while it is moved. Safe for use by several threads. */
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
     * What was seen.
     *
     * @param longest how long the longest write took, in milliseconds: the pause of a move, as clients feel it
     */
    record Seen(int shard, long writes, long failed, double longest) {}
}
