package io.github.shardedid.boot.actuate;

import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.boot.autoconfigure.RecoveredWork;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.boot.autoconfigure.ShardedIdProperties;
import io.github.shardedid.boot.migration.StagedProvisioning;
import io.github.shardedid.hibernate.KeyRows;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of health indicators, one for each database in place of one for the routing data source, which needs a shard, and
 * one for the shard map; and of the actuator endpoint {@code shards}, if it is exposed.
 */
@AutoConfiguration(
        after = ShardedIdAutoConfiguration.class,
        afterName = "io.github.shardedid.boot.data.ShardedJpaAutoConfiguration",
        beforeName = "org.springframework.boot.jdbc.autoconfigure.health.DataSourceHealthContributorAutoConfiguration")
@ConditionalOnShardedDatabases
@ConditionalOnBean({ShardedDatabases.class, CurrentShardMap.class})
public final class ShardedActuatorAutoConfiguration {
    ShardedActuatorAutoConfiguration() {}

    private static Supplier<List<String>> problems(
            ObjectProvider<RecoveredWork> recovered, ObjectProvider<UniqueAcrossShards.Claims> claims) {
        return () -> Stream.concat(
                        recovered.stream().flatMap(each -> each.problems().stream()),
                        claims.stream()
                                .flatMap(each -> each.unbuilt().stream())
                                .map(key -> "Not all rows have claimed their values of " + key
                                        + ": run --sharded-id.build-claims"))
                .toList();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
    static class HealthIndicators {
        /** If the only database is down, the application is down, whatever is configured. */
        @Bean
        @ConditionalOnEnabledHealthIndicator("db")
        @ConditionalOnMissingBean(name = {"dbHealthIndicator", "dbHealthContributor"})
        HealthContributor dbHealthContributor(
                ShardedDatabases databases, CurrentShardMap map, ShardedIdProperties properties) {
            Status down = databases.byName().size() == 1
                    ? Status.DOWN
                    : new Status(properties.health().databaseDown());
            Map<String, HealthIndicator> all = new LinkedHashMap<>();
            databases.byName().keySet().forEach(name -> all.put(name, () -> health(name, map.get(), down)));
            return CompositeHealthContributor.fromMap(all);
        }

        /** Queries no database: the map knows which are unreachable. */
        private static Health health(String database, ShardMap map, Status whenDown) {
            String reason = map.unreachableReasons().get(database);
            Health.Builder health = Health.status(reason == null ? Status.UP : whenDown)
                    .withDetail("shards", ShardRanges.of(map.shardsOf(database)).toString());
            return reason == null
                    ? health.build()
                    : health.withDetail("error", "The shard map cannot reach the database")
                            .withDetail("unavailableBecause", reason)
                            .build();
        }

        @Bean
        @ConditionalOnEnabledHealthIndicator("shardmap")
        @ConditionalOnMissingBean(name = {"shardMapHealthIndicator", "shardMapHealthContributor"})
        HealthIndicator shardMapHealthIndicator(
                ShardedDatabases databases,
                CurrentShardMap map,
                ShardedIdProperties properties,
                ObjectProvider<StagedProvisioning> provisioning,
                ObjectProvider<RecoveredWork> recovered,
                ObjectProvider<UniqueAcrossShards.Claims> claims) {
            return new ShardMapHealthIndicator(
                    map,
                    databases.byName().keySet(),
                    properties.fenceWait(),
                    RoutingOptions.DEFAULT.mapAge(),
                    new Status(properties.health().databaseDown()),
                    problems(recovered, claims),
                    () -> provisioning.stream()
                            .findFirst()
                            .map(StagedProvisioning::replicationLag)
                            .orElse(Map.of()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    static class Endpoints {
        /** Uses separate pools, so that moves take no connections of the application. They hold no connections between moves. */
        @Bean
        @ConditionalOnAvailableEndpoint(ShardsEndpoint.class)
        @ConditionalOnMissingBean
        BackgroundMoves shardedIdBackgroundMoves(
                ConfiguredCluster cluster, ShardMigrations migrations, ObjectProvider<MoveListener> listeners) {
            ShardedDatabases pools = cluster.openPools();
            return new BackgroundMoves(
                    cluster.properties().moves().concurrent(),
                    pools,
                    own -> cluster.mover(
                            pools,
                            migrations,
                            Stream.concat(Stream.of(own), listeners.orderedStream())
                                    .toList()));
        }

        @Bean
        @ConditionalOnAvailableEndpoint
        @ConditionalOnMissingBean
        ShardsEndpoint shardsEndpoint(
                Cluster cluster,
                ClusterDefinition definition,
                BackgroundMoves moves,
                ObjectProvider<RecoveredWork> recovered,
                ObjectProvider<UniqueAcrossShards.Claims> claims) {
            return new ShardsEndpoint(cluster, definition.initialShards().keySet(), moves, problems(recovered, claims));
        }

        @Bean
        @ConditionalOnAvailableEndpoint
        @ConditionalOnBean(UniqueAcrossShards.Claims.class)
        @ConditionalOnMissingBean
        ClaimsEndpoint claimsEndpoint(ObjectProvider<UniqueAcrossShards.Claims> claims) {
            return new ClaimsEndpoint(claims);
        }

        @Bean
        @ConditionalOnAvailableEndpoint
        @ConditionalOnMissingBean
        @ConditionalOnClass(name = "org.hibernate.SessionFactory")
        KeyRowsEndpoint keyRowsEndpoint(ObjectProvider<KeyRows> rows) {
            return new KeyRowsEndpoint(rows::getObject);
        }
    }
}
