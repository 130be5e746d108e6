package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.boot.migration.StagedProvisioning;
import io.github.shardedid.boot.pool.ReplicaCheck;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.map.DatabaseShardMapSource;
import io.github.shardedid.provisioning.map.LateDatabases;
import io.github.shardedid.provisioning.map.ShardMapKeeper;
import io.github.shardedid.routing.replica.ReplicaMismatchException;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMapSource;
import java.util.Set;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** The shard map of provisioned databases, and what keeps it up to date. */
@Configuration(proxyBeanMethods = false)
class ShardMapConfiguration {
    @Bean
    @ConditionalOnMissingBean(ShardMapSource.class)
    DatabaseShardMapSource shardedIdShardMapSource(ClusterDefinition definition, ShardedDatabases databases) {
        return new DatabaseShardMapSource(definition, databases.forMap());
    }

    @Bean
    StagedProvisioning shardedIdStagedProvisioning(
            ShardedIdProperties properties, Provisioner provisioner, ListableBeanFactory beans) {
        return new StagedProvisioning(provisioner, properties.provisioning().enabled(), beans);
    }

    @Bean
    @ConditionalOnMissingBean
    CurrentShardMap shardedIdShardMap(
            StagedProvisioning provisioning, ShardMapSource source, ShardedDatabases databases) {
        try {
            ReplicaCheck.check(databases.replicas());
        } catch (ReplicaMismatchException e) {
            provisioning.refuse(e);
        }
        if (source instanceof DatabaseShardMapSource asked) {
            asked.exclude(provisioning.begin(databases.byName().keySet()));
        } else {
            provisioning.begin(Set.of());
        }
        return new CurrentShardMap(source);
    }

    /** Closed before the pools, as it depends on them. */
    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean
    ShardMapKeeper shardedIdShardMapKeeper(
            ShardedIdProperties properties, CurrentShardMap map, ShardedDatabases databases) {
        return new ShardMapKeeper(map, databases.forMap(), ConfiguredOptions.keeper(properties));
    }

    /** Closed before the map is no longer kept up to date. */
    @Bean
    @Lazy(false)
    @ConditionalOnBean(DatabaseShardMapSource.class)
    @ConditionalOnMissingBean
    LateDatabases shardedIdLateDatabases(
            ShardMapKeeper keeper,
            CurrentShardMap map,
            DatabaseShardMapSource source,
            StagedProvisioning provisioning,
            ShardedDatabases databases) {
        return new LateDatabases(map, source, databases.forMap(), provisioning::again);
    }
}
