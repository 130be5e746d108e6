package io.github.shardedid.boot.context;

import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardMdc;
import java.sql.SQLException;
import javax.sql.DataSource;
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
    ShardMdc shardedIdMdc(DataSource dataSource) throws SQLException {
        return ShardMdc.of(dataSource.unwrap(RoutingDataSource.class));
    }
}
