package io.github.shardedid.boot.rehearsal;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of the actuator endpoint {@code shardrehearsal}, if it is exposed. */
@AutoConfiguration(after = RehearsalAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(ShardRehearsal.class)
@ConditionalOnAvailableEndpoint(RehearsalEndpoint.class)
public final class RehearsalEndpointAutoConfiguration {
    RehearsalEndpointAutoConfiguration() {}

    @Bean
    RehearsalEndpoint shardedIdRehearsalEndpoint(ShardRehearsal rehearsal) {
        return new RehearsalEndpoint(rehearsal);
    }
}
