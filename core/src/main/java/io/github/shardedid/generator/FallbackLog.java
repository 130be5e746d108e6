package io.github.shardedid.generator;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/** Logs that the database generates ids instead of the JVM: at most once a minute for each reason. Safe for use by several threads. */
final class FallbackLog {
    private static final long PAUSE = TimeUnit.MINUTES.toNanos(1);

    private final Logger log;
    private final Map<FallbackReason, Notes> notes = new EnumMap<>(FallbackReason.class);

    FallbackLog(Logger log, long now) {
        this.log = log;
        for (FallbackReason reason : FallbackReason.values()) {
            notes.put(reason, new Notes(new AtomicLong(), new AtomicLong(now)));
        }
    }

    void note(int shard, FallbackReason reason, long now) {
        Notes same = notes.get(reason);
        if (same == null || reason == FallbackReason.NO_LEASE_YET || reason == FallbackReason.CLOSED) {
            return; // expected
        }
        long count = same.count.incrementAndGet();
        long due = same.due.get();
        if (now - due >= 0 && same.due.compareAndSet(due, now + PAUSE)) {
            log.warn(
                    "The database generates ids instead of this JVM: {} in shard {}, {} ids so far for this reason. They"
                            + " are valid, but need a round trip. See {}",
                    reason,
                    shard,
                    count,
                    FallbackReason.class.getName());
        }
    }

    private record Notes(AtomicLong count, AtomicLong due) {}
}
