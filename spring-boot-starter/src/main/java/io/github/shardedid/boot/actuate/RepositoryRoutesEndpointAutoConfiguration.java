package io.github.shardedid.boot.actuate;

import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.spring.data.repository.RepositoryRoutes;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of the actuator endpoint {@code shardroutes}, if it is exposed. */
@AutoConfiguration(afterName = "io.github.shardedid.boot.jpa.ShardedJpaAutoConfiguration")
@ConditionalOnShardedDatabases
@ConditionalOnClass({ConditionalOnAvailableEndpoint.class, RepositoryRoutes.class})
@ConditionalOnBean(RepositoryRoutes.class)
@ConditionalOnAvailableEndpoint(RepositoryRoutesEndpoint.class)
public final class RepositoryRoutesEndpointAutoConfiguration {
    RepositoryRoutesEndpointAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    RepositoryRoutesEndpoint shardedIdRepositoryRoutesEndpoint(RepositoryRoutes routes) {
        return new RepositoryRoutesEndpoint(routes);
    }
}
