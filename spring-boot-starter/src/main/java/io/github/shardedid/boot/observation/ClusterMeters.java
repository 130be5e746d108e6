package io.github.shardedid.boot.observation;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.boot.migration.StagedProvisioning;
import io.github.shardedid.generator.FallbackReason;
import io.github.shardedid.generator.LeaseListener;
import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Meters that an operator alerts on, beside the timers that Micrometer makes of the observations. None has a tag for the shard: there
 * may be thousands. Events are counted outside of the registry, since they may occur before it exists.
 */
final class ClusterMeters implements RoutingListener, LeaseListener, MeterBinder {
    private static final String PREFIX = "sharded.id.";

    private final ShardedDatabases databases;
    /** Resolved when the meters are bound, as the cluster is created after its listeners. */
    private final ObjectProvider<Cluster> cluster;

    private final ObjectProvider<StagedProvisioning> provisioning;

    private final LongAdder refusedQueries = new LongAdder();
    private final LongAdder lostLeases = new LongAdder();
    private final Map<FallbackReason, LongAdder> fallbacks = new EnumMap<>(FallbackReason.class);
    private final Set<Replica> skippedReplicas = ConcurrentHashMap.newKeySet();

    private record Replica(String database, int number) {}

    ClusterMeters(
            ShardedDatabases databases,
            ObjectProvider<Cluster> cluster,
            ObjectProvider<StagedProvisioning> provisioning) {
        this.databases = databases;
        this.cluster = cluster;
        this.provisioning = provisioning;
        Arrays.stream(FallbackReason.values()).forEach(reason -> fallbacks.put(reason, new LongAdder()));
    }

    @Override
    public void queueWaited(long nanos, boolean given) {
        if (!given) {
            refusedQueries.increment();
        }
    }

    @Override
    public void replicaChanged(String database, int replica, boolean usable) {
        Replica changed = new Replica(database, replica);
        if (usable) {
            skippedReplicas.remove(changed);
        } else {
            skippedReplicas.add(changed);
        }
    }

    @Override
    public void lost(int shard, int node) {
        lostLeases.increment();
    }

    @Override
    public void fallback(int shard, FallbackReason reason) {
        Objects.requireNonNull(fallbacks.get(reason)).increment();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        cluster.ifAvailable(all -> bind(all, registry));
        provisioning.ifAvailable(start -> databases.byName().keySet().stream()
                .filter(start::mayHaveCopies)
                .forEach(name -> bindLag(start, name, registry)));
        counter(
                registry,
                "all.shards.refusals",
                "Queries over several shards that waited for others for too long",
                refusedQueries,
                Tags.empty());
        counter(registry, "lease.lost", "Leases of JVM nodes that expired without a renewal", lostLeases, Tags.empty());
        fallbacks.forEach((reason, count) -> counter(
                registry,
                "lease.fallbacks",
                "Ids that the database generated in place of this process",
                count,
                Tags.of("reason", reason.name().toLowerCase(Locale.ROOT))));
        databases.replicas().forEach((name, replicas) -> {
            for (int i = 0; i < replicas.size(); i++) {
                Replica replica = new Replica(name, i);
                Gauge.builder(PREFIX + "replica.up", () -> skippedReplicas.contains(replica) ? 0 : 1)
                        .tags("database", name, "replica", Integer.toString(i))
                        .description("1 if the replica is used, 0 while it is skipped")
                        .register(registry);
            }
        });
        Stream.concat(
                        databases.byName().values().stream(),
                        databases.replicas().values().stream().flatMap(List::stream))
                .forEach(pool -> bind(pool, registry));
    }

    private static void bind(Cluster cluster, MeterRegistry registry) {
        CurrentShardMap map = cluster.map();
        time(
                registry,
                "epoch.left",
                "Time until the end of the layout's timestamps, after which there are no ids",
                () -> cluster.layout()
                        .timeLeft(Instant.ofEpochMilli(registry.config().clock().wallTime())));
        time(registry, "map.age", "Time for which no answer of the databases has confirmed the shard map", map::age);
        time(
                registry,
                "map.fence.longest",
                "Longest time for which a shard has been fenced",
                () -> map.fencedShards().values().stream()
                        .max(Duration::compareTo)
                        .orElse(Duration.ZERO));
        Gauge.builder(PREFIX + "map.unowned", () -> map.get().unownedShards().length)
                .description("Shards without an owner, as far as this process knows")
                .register(registry);
        FunctionCounter.builder(PREFIX + "map.failures", map, CurrentShardMap::failedRefreshes)
                .description("Refreshes that yielded no consistent shard map")
                .register(registry);
    }

    private static void bindLag(StagedProvisioning start, String database, MeterRegistry registry) {
        Gauge.builder(PREFIX + "replicated.lag", () -> lag(start, database))
                .baseUnit(BaseUnits.BYTES)
                .tags("database", database)
                .description("Log of the global database that the copies of replicated tables have not confirmed")
                .register(registry);
    }

    private static double lag(StagedProvisioning start, String database) {
        Long bytes = start.replicationLag().get(database);
        return bytes == null ? Double.NaN : bytes;
    }

    /** HikariCP's meters, as Boot binds them for data source beans. The first registry gets those of a pool. */
    private static void bind(DataSource source, MeterRegistry registry) {
        if (source instanceof HikariDataSource pool
                && pool.getMetricRegistry() == null
                && pool.getMetricsTrackerFactory() == null) {
            pool.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(registry));
        }
    }

    private static void counter(MeterRegistry registry, String name, String description, LongAdder counter, Tags tags) {
        FunctionCounter.builder(PREFIX + name, counter, LongAdder::doubleValue)
                .tags(tags)
                .description(description)
                .register(registry);
    }

    private static void time(MeterRegistry registry, String name, String description, Supplier<Duration> time) {
        TimeGauge.builder(PREFIX + name, () -> time.get().toNanos(), TimeUnit.NANOSECONDS)
                .description(description)
                .register(registry);
    }
}
