package io.github.shardedid.boot.observation;

import io.github.shardedid.routing.RoutingListener;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Use of read replicas. */
final class ReplicaMetrics implements RoutingListener, MeterBinder {
    private static final String PREFIX = "sharded.id.replica.";

    private final Map<String, Counts> byDatabase = new LinkedHashMap<>();

    /** Counters of one database. */
    private record Counts(List<LongAdder> used, List<LongAdder> outages, Counters<Fallback> fallbacks) {
        static Counts of(int replicas) {
            return new Counts(adders(replicas), adders(replicas), new Counters<>(Fallback.class));
        }

        private static List<LongAdder> adders(int count) {
            return Stream.generate(LongAdder::new).limit(count).toList();
        }
    }

    ReplicaMetrics(Map<String, ? extends List<?>> replicas) {
        replicas.forEach((database, all) -> {
            if (!all.isEmpty()) {
                byDatabase.put(database, Counts.of(all.size()));
            }
        });
    }

    @Override
    public void replicaUsed(String database, int replica) {
        Counts counts = byDatabase.get(database);
        if (counts != null) {
            counts.used.get(replica).increment();
        }
    }

    @Override
    public void replicaMissed(String database, Fallback reason) {
        Counts counts = byDatabase.get(database);
        if (counts != null) {
            counts.fallbacks.increment(reason);
        }
    }

    @Override
    public void replicaChanged(String database, int replica, boolean usable) {
        Counts counts = byDatabase.get(database);
        if (counts != null) {
            counts.outages.get(replica).add(usable ? -1 : 1);
        }
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        byDatabase.forEach((database, counts) -> {
            for (int i = 0; i < counts.used.size(); i++) {
                bind(registry, Tags.of("database", database, "replica", Integer.toString(i)), counts, i);
            }
            counts.fallbacks.bind(
                    registry,
                    PREFIX + "fallbacks",
                    "Reads from the database itself in place of a replica",
                    "reason",
                    "database",
                    database);
        });
    }

    private static void bind(MeterRegistry registry, Tags tags, Counts counts, int replica) {
        Gauge.builder(PREFIX + "up", counts.outages.get(replica), outages -> outages.sum() > 0 ? 0 : 1)
                .tags(tags)
                .description("1 if the replica is used, 0 while it is skipped")
                .register(registry);
        Counters.bind(
                registry,
                PREFIX + "used",
                "Connections to the replica that were taken from its pool",
                counts.used.get(replica),
                tags);
    }
}
