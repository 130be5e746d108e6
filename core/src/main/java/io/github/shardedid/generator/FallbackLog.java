package io.github.shardedid.generator;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log that the database makes ids in place of the JVM: at most once a minute for each reason. */
final class FallbackLog {
    private static final Logger LOG = LoggerFactory.getLogger(JvmIdSource.class);
    private static final long PAUSE = TimeUnit.MINUTES.toNanos(1);

    private final Map<FallbackReason, Notes> notes = new EnumMap<>(FallbackReason.class);

    FallbackLog(long now) {
        for (FallbackReason reason : FallbackReason.values()) {
            notes.put(reason, new Notes(new AtomicLong(), new AtomicLong(now)));
        }
    }

    void note(int shard, FallbackReason reason, long now) {
        Notes same = notes.get(reason);
        if (same == null || reason == FallbackReason.NO_LEASE_YET || reason == FallbackReason.CLOSED) {
            return; // as it should be
        }
        long count = same.count.incrementAndGet();
        long due = same.due.get();
        if (now - due >= 0 && same.due.compareAndSet(due, now + PAUSE)) {
            LOG.warn(
                    "The database makes ids that this JVM would make: {}, now in shard {}; {} ids so far for that reason."
                            + " They are as good, but each costs more. See {}",
                    reason,
                    shard,
                    count,
                    FallbackReason.class.getName());
        }
    }

    private record Notes(AtomicLong count, AtomicLong due) {}
}
