package io.github.shardedid.boot.observation;

import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.topology.CurrentShardMap;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Meters of what the timers of observations do not show: the extent of queries over several shards and their waits for each other, statements that met
 * a move, and the shard map.
 */
final class RoutingMetrics implements RoutingListener, MeterBinder {
    private static final String PREFIX = "sharded.id.";
    private static final String QUERIES = PREFIX + "all.shards.";
    /** Resolved when the metrics are bound, as the map is created after the listeners. */
    private final ObjectProvider<CurrentShardMap> map;

    private final Waits given = new Waits(new LongAdder(), new LongAdder());
    private final Waits refused = new Waits(new LongAdder(), new LongAdder());
    private final LongAdder movedRepeats = new LongAdder();
    private final LongAdder movedRefusals = new LongAdder();
    private final List<Extent> extents = new CopyOnWriteArrayList<>();

    /** Kept outside of the registry, so that waits before it exists are not lost. */
    private record Waits(LongAdder count, LongAdder nanos) {
        void bind(MeterRegistry registry, String outcome) {
            FunctionTimer.builder(QUERIES + "turns", this, w -> w.count.sum(), w -> w.nanos.sum(), TimeUnit.NANOSECONDS)
                    .tag("outcome", outcome)
                    .description("Waits of queries over several shards while too many others were running")
                    .register(registry);
        }
    }

    private record Extent(DistributionSummary shards, DistributionSummary databases) {}

    RoutingMetrics(ObjectProvider<CurrentShardMap> map) {
        this.map = map;
    }

    @Override
    public Watch allShards(int shards, Set<String> databases) {
        extents.forEach(each -> {
            each.shards.record(shards);
            each.databases.record(databases.size());
        });
        return Watch.NONE;
    }

    @Override
    public void turnAwaited(long nanos, boolean got) {
        Waits waits = got ? given : refused;
        waits.count.increment();
        waits.nanos.add(nanos);
    }

    @Override
    public void repeated(int shard, String from, String to) {
        movedRepeats.increment();
    }

    @Override
    public void refused(int shard, String database) {
        movedRefusals.increment();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        given.bind(registry, "given");
        refused.bind(registry, "refused");
        extents.add(new Extent(extent(registry, "shards", "Shards"), extent(registry, "databases", "Databases")));
        Counters.bind(
                registry,
                PREFIX + "fence.repeats",
                "Statements that were sent again because their shard had moved",
                movedRepeats,
                Tags.empty());
        Counters.bind(
                registry,
                PREFIX + "fence.refusals",
                "Statements that failed with a ShardMovedException",
                movedRefusals,
                Tags.empty());
        map.ifAvailable(current -> bind(current, registry));
    }

    private static DistributionSummary extent(MeterRegistry registry, String unit, String what) {
        return DistributionSummary.builder(QUERIES + unit)
                .baseUnit(unit)
                .description(what + " per query over several shards")
                .register(registry);
    }

    private static void bind(CurrentShardMap map, MeterRegistry registry) {
        Gauge.builder(PREFIX + "map.version", map, CurrentShardMap::version)
                .description("Version of the shard map in this process, from 1")
                .register(registry);
        Gauge.builder(PREFIX + "map.unowned", map, current -> current.get().unownedShards().length)
                .description("Shards without an owner, as far as this process knows")
                .register(registry);
        Gauge.builder(PREFIX + "map.fenced", map, current -> current.fencedShards()
                        .size())
                .description("Shards that moves have fenced")
                .register(registry);
        TimeGauge.builder(PREFIX + "map.fence.longest", map, TimeUnit.MILLISECONDS, RoutingMetrics::longestFence)
                .description("Longest time for which a shard has been fenced")
                .register(registry);
        TimeGauge.builder(PREFIX + "map.age", map, TimeUnit.MILLISECONDS, current -> current.age()
                        .toMillis())
                .description("Time for which no answer of the databases has confirmed the shard map")
                .register(registry);
        FunctionCounter.builder(PREFIX + "map.refreshes", map, CurrentShardMap::refreshes)
                .description("Requests to the databases for the shard map")
                .register(registry);
        FunctionCounter.builder(PREFIX + "map.failures", map, CurrentShardMap::failedRefreshes)
                .description("Refreshes that yielded no consistent shard map")
                .register(registry);
    }

    private static double longestFence(CurrentShardMap map) {
        return map.fencedShards().values().stream()
                .mapToLong(Duration::toMillis)
                .max()
                .orElse(0);
    }
}
