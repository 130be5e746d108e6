package io.github.shardedid.boot.actuate;

import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.boot.autoconfigure.ConnectionBeans;
import io.github.shardedid.boot.autoconfigure.RecoveredWork;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.boot.autoconfigure.ShardedIdProperties;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.spring.data.RepositoryRoutes;
import io.github.shardedid.spring.id.IdForm;
import io.github.shardedid.spring.id.IdText;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Auto-configuration of the actuator endpoints {@code shards} and {@code shardroutes}, if they are exposed. */
@AutoConfiguration(
        after = ShardedIdAutoConfiguration.class,
        afterName = "io.github.shardedid.boot.data.ShardedJpaAutoConfiguration")
@ConditionalOnShardedDatabases
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
public final class ShardsEndpointAutoConfiguration {
    ShardsEndpointAutoConfiguration() {}

    @Bean
    @ConditionalOnBean(RepositoryRoutes.class)
    @ConditionalOnAvailableEndpoint
    @ConditionalOnMissingBean
    RepositoryRoutesEndpoint shardedIdRepositoryRoutesEndpoint(RepositoryRoutes routes) {
        return new RepositoryRoutesEndpoint(routes);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean({CurrentShardMap.class, ShardedDatabases.class})
    @ConditionalOnAvailableEndpoint(ShardsEndpoint.class)
    static class Shards {
        /** Uses separate pools, so that moves take no connections of the application. They hold no connections between moves. */
        @Bean
        @ConditionalOnMissingBean
        BackgroundMoves shardedIdBackgroundMoves(
                ShardedIdProperties properties,
                ClusterDefinition definition,
                ShardMigrations migrations,
                ListableBeanFactory beans,
                ObjectProvider<MoveListener> listeners) {
            ConfiguredCluster cluster = ConfiguredCluster.of(properties, definition, ConnectionBeans.of(beans));
            ShardedDatabases pools = cluster.openPools();
            return new BackgroundMoves(
                    properties.moves().concurrent(),
                    pools,
                    own -> cluster.mover(
                            pools,
                            migrations,
                            Stream.concat(Stream.of(own), listeners.orderedStream())
                                    .toList()));
        }

        @Bean
        @ConditionalOnMissingBean
        ShardsEndpoint shardsEndpoint(
                Cluster cluster,
                ClusterDefinition definition,
                BackgroundMoves moves,
                ShardedDatabases databases,
                Provisioner provisioner,
                ObjectProvider<RecoveredWork> recovered) {
            // Both forms are read; the endpoint itself writes both.
            IdText ids = new IdText(cluster.layout(), IdForm.DECIMAL);
            return new ShardsEndpoint(
                    cluster.map(),
                    definition.initialShards().keySet(),
                    moves,
                    new ShardInspections(cluster, ids, databases, provisioner),
                    () -> recovered.stream()
                            .flatMap(each -> each.problems().stream())
                            .toList());
        }

        @Bean
        @ConditionalOnMissingBean
        ShardsEndpointWebExtension shardsEndpointWebExtension(ShardsEndpoint endpoint) {
            return new ShardsEndpointWebExtension(endpoint);
        }
    }
}
