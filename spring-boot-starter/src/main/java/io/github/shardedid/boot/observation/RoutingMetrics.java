package io.github.shardedid.boot.observation;

import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.Target;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** Statements by database and kind, and queries over several shards. A statement costs one addition. */
final class RoutingMetrics implements RoutingListener, MeterBinder {
    private static final String PREFIX = "sharded.id.";
    private static final String QUERIES = PREFIX + "all.shards.";

    private final Map<String, Counters<Kind>> statements = new HashMap<>();
    private final Durations given = new Durations();
    private final Durations refused = new Durations();
    private final List<Extent> extents = new CopyOnWriteArrayList<>();

    private record Extent(DistributionSummary shards, DistributionSummary databases) {}

    RoutingMetrics(Set<String> databases) {
        databases.forEach(database -> statements.put(database, new Counters<>(Kind.class)));
    }

    @Override
    public Watch statement(Kind kind, Target.Single target, String database) {
        return count(kind, database);
    }

    private Watch count(Kind kind, String database) {
        Counters<Kind> counters = statements.get(database);
        if (counters != null) {
            counters.increment(kind);
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
        (got ? given : refused).add(nanos);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        statements.forEach((database, counters) -> counters.bind(
                registry,
                PREFIX + "statements",
                "Statements that were sent to the database or its replicas",
                "kind",
                "database",
                database));
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

    private static void bind(MeterRegistry registry, Durations waits, String outcome) {
        waits.bind(
                registry,
                QUERIES + "turns",
                "Waits of queries over several shards while too many others were running",
                "outcome",
                outcome);
    }
}
