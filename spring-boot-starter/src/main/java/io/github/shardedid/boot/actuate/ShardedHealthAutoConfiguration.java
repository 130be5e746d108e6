package io.github.shardedid.boot.actuate;

import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.boot.autoconfigure.RecoveredWork;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.boot.autoconfigure.ShardedIdProperties;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.topology.CurrentShardMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.health.DataSourceHealthContributorAutoConfiguration;
import org.springframework.boot.jdbc.health.DataSourceHealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of health indicators: one for each database, in place of one for the routing data source, which needs a shard;
 * and one for the shard map.
 */
@AutoConfiguration(
        after = ShardedIdAutoConfiguration.class,
        before = DataSourceHealthContributorAutoConfiguration.class)
@ConditionalOnShardedDatabases
@ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean({ShardedDatabases.class, CurrentShardMap.class})
public final class ShardedHealthAutoConfiguration {
    ShardedHealthAutoConfiguration() {}

    /** If the only database is down, the application is down, whatever is configured. */
    @Bean
    @ConditionalOnEnabledHealthIndicator("db")
    @ConditionalOnMissingBean(name = {"dbHealthIndicator", "dbHealthContributor"})
    HealthContributor dbHealthContributor(
            ShardedDatabases databases, CurrentShardMap map, ShardedIdProperties properties) {
        Status down = databases.byName().size() == 1
                ? Status.DOWN
                : new Status(properties.health().databaseDown());
        Map<String, HealthIndicator> indicators = new LinkedHashMap<>();
        databases
                .byName()
                .forEach((name, source) -> indicators.put(
                        name,
                        new DatabaseHealthIndicator(
                                name, new DataSourceHealthIndicator(source), map, down, indicators.values())));
        return CompositeHealthContributor.fromMap(indicators);
    }

    @Bean
    @ConditionalOnEnabledHealthIndicator("shardmap")
    @ConditionalOnMissingBean(name = {"shardMapHealthIndicator", "shardMapHealthContributor"})
    HealthIndicator shardMapHealthIndicator(
            ShardedDatabases databases,
            CurrentShardMap map,
            ShardedIdProperties properties,
            ObjectProvider<RecoveredWork> recovered) {
        return new ShardMapHealthIndicator(
                map,
                databases.byName().keySet(),
                properties.fenceWait(),
                RoutingOptions.DEFAULT.mapAge(),
                new Status(properties.health().databaseDown()),
                () -> recovered.stream()
                        .flatMap(each -> each.problems().stream())
                        .toList());
    }
}
