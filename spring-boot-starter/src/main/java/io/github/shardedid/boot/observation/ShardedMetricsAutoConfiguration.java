package io.github.shardedid.boot.observation;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.boot.data.ShardedJpaAutoConfiguration;
import io.github.shardedid.generator.IdStatistics;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.pool.PartitionedDataSource;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of metrics of the cluster, beside the timers that Micrometer makes of its observations. */
@AutoConfiguration(
        after = {ShardedIdAutoConfiguration.class, ShardedJpaAutoConfiguration.class},
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnShardedDatabases
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({MeterRegistry.class, Cluster.class})
public final class ShardedMetricsAutoConfiguration {
    ShardedMetricsAutoConfiguration() {}

    @Bean
    LeaseMetrics shardedIdLeaseMetrics() {
        return new LeaseMetrics();
    }

    @Bean
    @ConditionalOnBean(ShardedDatabases.class)
    ReplicaMetrics shardedIdReplicaMetrics(ShardedDatabases databases) {
        return new ReplicaMetrics(databases.replicas());
    }

    @Bean
    @ConditionalOnBean({IdStatistics.class, ShardedDatabases.class})
    IdMetrics shardedIdIdMetrics(IdStatistics statistics, ShardedDatabases databases) {
        return new IdMetrics(statistics, databases.byName().keySet());
    }

    @Bean
    @ConditionalOnBean(ShardedDatabases.class)
    MoveProgressMetrics shardedIdMoveProgressMetrics(ShardedDatabases databases) {
        return new MoveProgressMetrics(databases.byName().keySet());
    }

    @Bean
    RoutingMetrics shardedIdRoutingMetrics(ObjectProvider<CurrentShardMap> map) {
        return new RoutingMetrics(map);
    }

    @Bean
    MeterBinder shardedIdEpochMetrics(Cluster cluster) {
        IdLayout layout = cluster.layout();
        return registry -> TimeGauge.builder(
                        "sharded.id.epoch.left", layout, TimeUnit.SECONDS, ids -> secondsLeft(ids, registry))
                .description("Time left until the end of the layout's timestamps, after which no id can be generated")
                .register(registry);
    }

    private static double secondsLeft(IdLayout layout, MeterRegistry registry) {
        return layout.timeLeft(Instant.ofEpochMilli(registry.config().clock().wallTime()))
                .toSeconds();
    }

    /** Binds the meters of HikariCP, as Boot does for data source beans. The first registry gets the metrics of a pool. */
    @Bean
    @ConditionalOnBean(ShardedDatabases.class)
    MeterBinder shardedIdPoolMetrics(ShardedDatabases databases) {
        return registry -> {
            databases.byName().values().forEach(source -> bind(source, registry));
            databases.replicas().values().forEach(all -> all.forEach(source -> bind(source, registry)));
        };
    }

    private static void bind(DataSource source, MeterRegistry registry) {
        if (source instanceof PartitionedDataSource parts) {
            if (parts.parts().stream().noneMatch(part -> isWatched(part.source()))) {
                PartMetrics.bind(parts, registry);
            }
        } else if (source instanceof HikariDataSource pool && !isWatched(pool)) {
            pool.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(registry));
        }
    }

    private static boolean isWatched(DataSource source) {
        return source instanceof HikariDataSource pool
                && (pool.getMetricRegistry() != null || pool.getMetricsTrackerFactory() != null);
    }
}
