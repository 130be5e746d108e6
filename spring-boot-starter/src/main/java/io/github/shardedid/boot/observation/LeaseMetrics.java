package io.github.shardedid.boot.observation;

import io.github.shardedid.generator.FallbackReason;
import io.github.shardedid.generator.LeaseListener;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Events of leases of JVM nodes in all shards. There may be thousands of shards, too many for a tag. */
final class LeaseMetrics implements LeaseListener, MeterBinder {
    private static final String PREFIX = "sharded.id.lease.";

    private final LongAdder granted = new LongAdder();
    private final LongAdder renewed = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder released = new LongAdder();
    /** By shard, the {@link System#nanoTime()} at which its lease was granted or renewed. */
    private final Map<Integer, Long> since = new ConcurrentHashMap<>();

    private final Counters<FallbackReason> fallbacks = new Counters<>(FallbackReason.class);

    @Override
    public void granted(int shard, int node) {
        granted.increment();
        since.put(shard, System.nanoTime());
    }

    @Override
    public void renewed(int shard, int node) {
        renewed.increment();
        since.put(shard, System.nanoTime());
    }

    @Override
    public void lost(int shard, int node) {
        lost.increment();
        since.remove(shard);
    }

    @Override
    public void released(int shard, int node) {
        released.increment();
        since.remove(shard);
    }

    @Override
    public void fallback(int shard, FallbackReason reason) {
        fallbacks.increment(reason);
    }

    /** Reads ends first, so that the result is never negative. */
    private double held() {
        long ended = lost.sum() + released.sum();
        return granted.sum() - ended;
    }

    private double age() {
        long now = System.nanoTime();
        return since.values().stream().mapToLong(at -> now - at).max().orElse(0);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder(PREFIX + "held", this, LeaseMetrics::held)
                .description(
                        "Leases of JVM nodes that this process holds, one for each shard that it generates ids for")
                .register(registry);
        TimeGauge.builder(PREFIX + "age", this, TimeUnit.NANOSECONDS, LeaseMetrics::age)
                .description("Longest time since a lease that this process holds was granted or renewed")
                .register(registry);
        count(registry, "granted", granted, "Leases of JVM nodes that were granted");
        count(registry, "renewed", renewed, "Leases of JVM nodes that were extended");
        count(registry, "lost", lost, "Leases of JVM nodes that expired without having been renewed or released");
        count(registry, "released", released, "Leases of JVM nodes that were released");
        fallbacks.bind(
                registry, PREFIX + "fallbacks", "Ids that the database generated in place of this process", "reason");
    }

    private static void count(MeterRegistry registry, String event, LongAdder counter, String description) {
        Counters.bind(registry, PREFIX + event, description, counter, Tags.empty());
    }
}
