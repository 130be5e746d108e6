package io.github.shardedid.boot.context;

import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.boot.jdbc.ShardedDataSource;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardMdc;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** Auto-configuration of the logging context: log lines name the shard and the database that a thread uses. */
@AutoConfiguration(after = ShardedIdAutoConfiguration.class)
@ConditionalOnShardedDatabases
@ConditionalOnBean(RoutingDataSource.class)
@ConditionalOnBooleanProperty(name = "sharded-id.mdc.enabled", matchIfMissing = true)
public final class ShardedMdcAutoConfiguration {
    ShardedMdcAutoConfiguration() {}

    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean
    ShardMdc shardedIdMdc(ConfigurableListableBeanFactory beans) {
        return ShardMdc.of(ShardedDataSource.of(beans));
    }
}
