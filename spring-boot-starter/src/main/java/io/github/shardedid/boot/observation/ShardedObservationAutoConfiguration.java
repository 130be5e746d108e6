package io.github.shardedid.boot.observation;

import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.boot.migration.StagedProvisioning;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.topology.Cluster;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Auto-configuration of Micrometer observations, and of meters beside the timers that Micrometer makes of them. */
@AutoConfiguration(
        after = ShardedIdAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnShardedDatabases
public final class ShardedObservationAutoConfiguration {
    ShardedObservationAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObservationRegistry.class)
    @ConditionalOnBean(ObservationRegistry.class)
    static class Observations {
        @Bean
        @ConditionalOnMissingBean
        ShardedObservations shardedIdObservations(ObservationRegistry registry) {
            return new ShardedObservations(registry);
        }

        @Bean
        RoutingListener shardedIdRoutingObservations(ShardedObservations observations) {
            return observations.routing();
        }

        @Bean
        MoveListener shardedIdMoveObservations(ShardedObservations observations) {
            return observations.moves();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean({MeterRegistry.class, ShardedDatabases.class})
    static class Meters {
        @Bean
        ClusterMeters shardedIdMeters(
                ShardedDatabases databases,
                ObjectProvider<Cluster> cluster,
                ObjectProvider<StagedProvisioning> provisioning) {
            return new ClusterMeters(databases, cluster, provisioning);
        }
    }
}
