package io.github.shardedid.boot.observation;

import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.routing.RoutingListener;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of Micrometer observations. */
@AutoConfiguration(
        after = ShardedIdAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnShardedDatabases
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
public final class ShardedObservationAutoConfiguration {
    ShardedObservationAutoConfiguration() {}

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
