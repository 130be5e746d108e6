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
 * Counts what statements meet while shards move, and how the shard map changes. Counted here and not in the registry, so that
 * an event before there is one is not lost, and a statement costs no look-up.
 */
final class MoveMetrics implements RoutingListener, MeterBinder {
    private static final String PREFIX = "sharded.id.";

    /** Asked for when metrics are bound: the map comes after the listeners. */
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
        Waits some = waits.get(outcome);
        if (some != null) {
            some.count.increment();
            some.nanos.add(nanos);
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
        waits.forEach((outcome, some) -> FunctionTimer.builder(
                        PREFIX + "fence.waits",
                        some,
                        each -> each.count.sum(),
                        each -> each.nanos.sum(),
                        TimeUnit.NANOSECONDS)
                .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                .description("Waits of statements for a shard on its way to another database")
                .register(registry));
        count(registry, "fence.repeats", repeated, "Statements that were sent again, as their shard had left");
        count(registry, "fence.refusals", refused, "Statements that failed with a ShardMovedException");
        map.ifAvailable(current -> bind(current, registry));
    }

    private static void bind(CurrentShardMap map, MeterRegistry registry) {
        Gauge.builder(PREFIX + "map.version", map, CurrentShardMap::version)
                .description("How often the shard map has changed in this process, from 1")
                .register(registry);
        FunctionCounter.builder(PREFIX + "map.refreshes", map, CurrentShardMap::refreshes)
                .description("How often the databases were asked for a shard map")
                .register(registry);
        FunctionCounter.builder(PREFIX + "map.failures", map, CurrentShardMap::failedRefreshes)
                .description("How often what they said made no shard map")
                .register(registry);
    }

    private static void count(MeterRegistry registry, String event, LongAdder counter, String description) {
        FunctionCounter.builder(PREFIX + event, counter, LongAdder::doubleValue)
                .description(description)
                .register(registry);
    }
}
