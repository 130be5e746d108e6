package io.github.shardedid.boot.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.jdbc.autoconfigure.health.DataSourceHealthContributorAutoConfiguration;
import org.springframework.boot.jdbc.health.DataSourceHealthIndicator;
import org.springframework.context.annotation.Bean;

/** The {@code db} health, database by database: of the routing data source nothing can be asked outside a shard. */
@AutoConfiguration(
        after = ShardedIdAutoConfiguration.class,
        before = DataSourceHealthContributorAutoConfiguration.class)
@ConditionalOnShardedDatabases
@ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(ShardedDatabases.class)
@ConditionalOnEnabledHealthIndicator("db")
public final class ShardedHealthAutoConfiguration {
    ShardedHealthAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = {"dbHealthIndicator", "dbHealthContributor"})
    HealthContributor dbHealthContributor(ShardedDatabases databases) {
        return CompositeHealthContributor.fromMap(databases.byName(), DataSourceHealthIndicator::new);
    }
}
