package io.github.shardedid.provisioning.internal.run;

import io.github.shardedid.provisioning.ProvisioningListener;
import io.github.shardedid.provisioning.ProvisioningProgress;
import io.github.shardedid.provisioning.ProvisioningProgress.Work;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the shards that are complete, and logs and reports the progress every few seconds and at the end. */
final class ProgressMeter {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressMeter.class);
    private static final long EVERY = TimeUnit.SECONDS.toNanos(3);

    private final String database;
    private final Work work;
    private final int total;
    private final ProvisioningListener listener;
    private final long began = System.nanoTime();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicLong reported = new AtomicLong(began);

    ProgressMeter(String database, Work work, int total, ProvisioningListener listener) {
        this.database = database;
        this.work = work;
        this.total = total;
        this.listener = listener;
    }

    /** Adds shards that are complete. */
    void add(int shards) {
        int now = done.addAndGet(shards);
        long time = System.nanoTime();
        long last = reported.get();
        if (now == total || (time - last >= EVERY && reported.compareAndSet(last, time))) {
            ProvisioningProgress progress =
                    new ProvisioningProgress(database, work, now, total, Duration.ofNanos(time - began));
            LOG.info("{}", progress);
            listener.progress(progress);
        }
    }
}
