package io.github.shardedid.boot.metrics;

import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.topology.CurrentShardMap;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Effects of moves on statements, and changes of the shard map. Counters are kept outside of the registry, so that events before it
 * exists are not lost, and a statement needs no lookup.
 */
final class MoveMetrics implements RoutingListener, MeterBinder {
    private static final String PREFIX = "sharded.id.";

    /** Resolved when the metrics are bound, as the map is created after the listeners. */
    private final ObjectProvider<CurrentShardMap> map;

    private final Map<Outcome, Waits> waits = new EnumMap<>(Outcome.class);
    private final LongAdder repeated = new LongAdder();
    private final LongAdder refused = new LongAdder();

    private record Waits(LongAdder count, LongAdder nanos) {}

    MoveMetrics(ObjectProvider<CurrentShardMap> map) {
        this.map = map;
        for (Outcome outcome : Outcome.values()) {
            waits.put(outcome, new Waits(new LongAdder(), new LongAdder()));
        }
    }

    @Override
    public void waited(int shard, long nanos, Outcome outcome) {
        Waits of = waits.get(outcome);
        if (of != null) {
            of.count.increment();
            of.nanos.add(nanos);
        }
    }

    @Override
    public void repeated(int shard, String from, String to) {
        repeated.increment();
    }

    @Override
    public void refused(int shard, String database) {
        refused.increment();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        waits.forEach((outcome, of) -> FunctionTimer.builder(
                        PREFIX + "fence.waits",
                        of,
                        each -> each.count.sum(),
                        each -> each.nanos.sum(),
                        TimeUnit.NANOSECONDS)
                .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                .description("Waits of statements for a shard that is being moved")
                .register(registry));
        count(registry, "fence.repeats", repeated, "Statements that were sent again because their shard had moved");
        count(registry, "fence.refusals", refused, "Statements that failed with a ShardMovedException");
        map.ifAvailable(current -> bind(current, registry));
    }

    private static void bind(CurrentShardMap map, MeterRegistry registry) {
        Gauge.builder(PREFIX + "map.version", map, CurrentShardMap::version)
                .description("Version of the shard map in this process, from 1")
                .register(registry);
        FunctionCounter.builder(PREFIX + "map.refreshes", map, CurrentShardMap::refreshes)
                .description("Requests to the databases for the shard map")
                .register(registry);
        FunctionCounter.builder(PREFIX + "map.failures", map, CurrentShardMap::failedRefreshes)
                .description("Refreshes that yielded no consistent shard map")
                .register(registry);
    }

    private static void count(MeterRegistry registry, String event, LongAdder counter, String description) {
        FunctionCounter.builder(PREFIX + event, counter, LongAdder::doubleValue)
                .description(description)
                .register(registry);
    }
}
