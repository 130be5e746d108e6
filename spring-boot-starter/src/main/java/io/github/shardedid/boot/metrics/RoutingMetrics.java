package io.github.shardedid.boot.metrics;

import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.Target;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Statements by database and kind, and queries over several shards. A statement costs one addition. */
final class RoutingMetrics implements RoutingListener, MeterBinder {
    private static final String PREFIX = "sharded.id.";
    private static final String QUERIES = PREFIX + "all.shards.";

    private final Map<String, Map<Kind, LongAdder>> statements = new HashMap<>();
    private final Waits given = new Waits();
    private final Waits refused = new Waits();
    private final List<Extent> extents = new CopyOnWriteArrayList<>();

    private static final class Waits {
        private final LongAdder count = new LongAdder();
        private final LongAdder nanos = new LongAdder();
    }

    private record Extent(DistributionSummary shards, DistributionSummary databases) {}

    RoutingMetrics(Set<String> databases) {
        for (String database : databases) {
            Map<Kind, LongAdder> counters = new EnumMap<>(Kind.class);
            for (Kind kind : Kind.values()) {
                counters.put(kind, new LongAdder());
            }
            statements.put(database, counters);
        }
    }

    @Override
    public Watch statement(Kind kind, Target.Single target, String database) {
        return count(kind, database);
    }

    private Watch count(Kind kind, String database) {
        Map<Kind, LongAdder> counters = statements.get(database);
        LongAdder counter = counters == null ? null : counters.get(kind);
        if (counter != null) {
            counter.increment();
        }
        return Watch.NONE;
    }

    @Override
    public Watch statement(List<Integer> shards, String database) {
        return count(Kind.ALL_SHARDS, database);
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
    public void bindTo(MeterRegistry registry) {
        statements.forEach((database, counters) -> counters.forEach(
                (kind, counter) -> FunctionCounter.builder(PREFIX + "statements", counter, LongAdder::doubleValue)
                        .tags("database", database, "kind", kind.name().toLowerCase(Locale.ROOT))
                        .description("Statements that were sent to the database or its replicas")
                        .register(registry)));
        bind(registry, given, "given");
        bind(registry, refused, "refused");
        extents.add(new Extent(
                DistributionSummary.builder(QUERIES + "shards")
                        .baseUnit("shards")
                        .description("Shards per query over several shards")
                        .register(registry),
                DistributionSummary.builder(QUERIES + "databases")
                        .baseUnit("databases")
                        .description("Databases per query over several shards")
                        .register(registry)));
    }

    private static void bind(MeterRegistry registry, Waits waits, String outcome) {
        FunctionTimer.builder(
                        QUERIES + "turns",
                        waits,
                        each -> each.count.sum(),
                        each -> each.nanos.sum(),
                        TimeUnit.NANOSECONDS)
                .tag("outcome", outcome)
                .description("Waits of queries over several shards while too many others were running")
                .register(registry);
    }
}
