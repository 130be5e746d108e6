package io.github.shardedid.boot.metrics;

import io.github.shardedid.routing.ReplicaListener;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Use of read replicas. Counters are kept outside of the registry, so that events before it exists are not lost, and a read needs
 * no lookup.
 */
final class ReplicaMetrics implements ReplicaListener, MeterBinder {
    private static final String PREFIX = "sharded.id.replica.";

    private final Map<String, Counts> byDatabase = new LinkedHashMap<>();

    /** Counters of one database. */
    private static final class Counts {
        final List<LongAdder> used;
        final List<LongAdder> outages;
        final Map<Reason, LongAdder> fallbacks = new EnumMap<>(Reason.class);

        Counts(int replicas) {
            used = adders(replicas);
            outages = adders(replicas);
            for (Reason reason : Reason.values()) {
                fallbacks.put(reason, new LongAdder());
            }
        }

        private static List<LongAdder> adders(int count) {
            return java.util.stream.Stream.generate(LongAdder::new).limit(count).toList();
        }
    }

    ReplicaMetrics(Map<String, ? extends List<?>> replicas) {
        replicas.forEach((database, all) -> {
            if (!all.isEmpty()) {
                byDatabase.put(database, new Counts(all.size()));
            }
        });
    }

    @Override
    public void used(String database, int replica) {
        Counts counts = byDatabase.get(database);
        if (counts != null) {
            counts.used.get(replica).increment();
        }
    }

    @Override
    public void fellBack(String database, Reason reason) {
        Counts counts = byDatabase.get(database);
        LongAdder counter = counts == null ? null : counts.fallbacks.get(reason);
        if (counter != null) {
            counter.increment();
        }
    }

    @Override
    public void changed(String database, int replica, boolean usable) {
        Counts counts = byDatabase.get(database);
        if (counts != null) {
            LongAdder outages = counts.outages.get(replica);
            outages.add(usable ? -1 : 1);
        }
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        byDatabase.forEach((database, counts) -> {
            for (int i = 0; i < counts.used.size(); i++) {
                bind(registry, Tags.of("database", database, "replica", Integer.toString(i)), counts, i);
            }
            counts.fallbacks.forEach(
                    (reason, counter) -> FunctionCounter.builder(PREFIX + "fallbacks", counter, LongAdder::doubleValue)
                            .tags("database", database, "reason", reason.name().toLowerCase(Locale.ROOT))
                            .description("Reads from the database itself in place of a replica")
                            .register(registry));
        });
    }

    private static void bind(MeterRegistry registry, Tags tags, Counts counts, int replica) {
        Gauge.builder(PREFIX + "up", counts.outages.get(replica), outages -> outages.sum() > 0 ? 0 : 1)
                .tags(tags)
                .description("1 if the replica is used, 0 while it is skipped")
                .register(registry);
        FunctionCounter.builder(PREFIX + "used", counts.used.get(replica), LongAdder::doubleValue)
                .tags(tags)
                .description("Connections to the replica that were taken from its pool")
                .register(registry);
    }
}
