package io.github.shardedid.boot.observation;

import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.topology.CurrentShardMap;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.beans.factory.ObjectProvider;

/** Effects of moves on statements, and changes of the shard map. */
final class MoveMetrics implements RoutingListener, MeterBinder {
    private static final String PREFIX = "sharded.id.";

    /** Resolved when the metrics are bound, as the map is created after the listeners. */
    private final ObjectProvider<CurrentShardMap> map;

    private final Map<Outcome, Durations> waits = new EnumMap<>(Outcome.class);
    private final LongAdder repeated = new LongAdder();
    private final LongAdder refused = new LongAdder();

    MoveMetrics(ObjectProvider<CurrentShardMap> map) {
        this.map = map;
        for (Outcome outcome : Outcome.values()) {
            waits.put(outcome, new Durations());
        }
    }

    @Override
    public Watch waiting(int shard, String database) {
        long start = System.nanoTime();
        return new Watch() {
            @Override
            public void waited(Outcome outcome) {
                Objects.requireNonNull(waits.get(outcome)).add(System.nanoTime() - start);
            }
        };
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
        waits.forEach((outcome, of) -> of.bind(
                registry,
                PREFIX + "fence.waits",
                "Waits of statements for a shard that is being moved",
                "outcome",
                outcome.name().toLowerCase(Locale.ROOT)));
        count(registry, "fence.repeats", repeated, "Statements that were sent again because their shard had moved");
        count(registry, "fence.refusals", refused, "Statements that failed with a ShardMovedException");
        map.ifAvailable(current -> bind(current, registry));
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
        TimeGauge.builder(PREFIX + "map.fence.longest", map, TimeUnit.MILLISECONDS, MoveMetrics::longestFence)
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

    private static void count(MeterRegistry registry, String event, LongAdder counter, String description) {
        Counters.bind(registry, PREFIX + event, description, counter, Tags.empty());
    }
}
