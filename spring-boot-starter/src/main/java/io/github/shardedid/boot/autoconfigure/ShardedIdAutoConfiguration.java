package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.boot.migration.StagedProvisioning;
import io.github.shardedid.generator.JvmIdOptions;
import io.github.shardedid.generator.LeaseListener;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.FlywayCustomizer;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMapKeeper;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.provisioning.UnavailableDatabases;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.routing.ScatterOptions;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.GlobalDatabase;
import io.github.shardedid.topology.ShardMapSource;
import io.github.shardedid.topology.ShardPlacement;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.jdbc.datasource.ShardingKeyProvider;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration that provisions the databases in {@code sharded-id.databases} and creates the data source that routes to
 * them. Each bean depends on the one before it, so that Hibernate and the application only see provisioned databases.
 */
@AutoConfiguration(before = DataSourceAutoConfiguration.class)
@ConditionalOnShardedDatabases
@EnableConfigurationProperties(ShardedIdProperties.class)
@Import(ShardedDataSource.BesidePrimary.class)
public final class ShardedIdAutoConfiguration {
    ShardedIdAutoConfiguration() {}

    /** Runs before beans are created. Not during AOT processing, as the properties may differ when the application starts. */
    @Bean
    static BeanFactoryPostProcessor shardedIdPropertyCheck(Environment environment) {
        return beans -> {
            if (!Boolean.getBoolean("spring.aot.processing")) {
                PropertyCheck.check(environment);
            }
            // The usual name, for code that looks a data source up by it.
            if (beans.containsBeanDefinition("shardedDataSource") && !beans.containsBean("dataSource")) {
                beans.registerAlias("shardedDataSource", "dataSource");
            }
        };
    }

    @Bean
    static BeanFactoryPostProcessor shardedIdReplacedDataSourceCheck() {
        return ReplacedDataSourceCheck::check;
    }

    /** Validates all properties before any database is used, including properties that are used later or rarely. */
    @Bean
    @ConditionalOnMissingBean
    ClusterDefinition shardedIdClusterDefinition(ShardedIdProperties properties) {
        ConfiguredOptions.check(properties);
        return ConfiguredCluster.definitionOf(properties);
    }

    /** Depends on the definition, so that mistakes in it are reported before pools are created. */
    @Bean
    @ConditionalOnMissingBean
    ConfiguredCluster shardedIdConfiguredCluster(
            ShardedIdProperties properties, ClusterDefinition definition, ListableBeanFactory beans) {
        return new ConfiguredCluster(properties, definition, ConnectionBeans.of(beans));
    }

    @Bean
    @ConditionalOnMissingBean
    ShardedDatabases shardedIdDatabases(ConfiguredCluster cluster) {
        return cluster.openPools();
    }

    @Bean
    @ConditionalOnMissingBean
    ShardMigrations shardedIdMigrations(
            ShardedIdProperties properties, ResourceLoader resources, ObjectProvider<FlywayCustomizer> customizers) {
        return ConfiguredOptions.migrations(
                properties,
                resources.getClassLoader(),
                customizers.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean
    Provisioner shardedIdProvisioner(
            ConfiguredCluster cluster,
            ShardedDatabases databases,
            ShardMigrations migrations,
            ResourceLoader resources) {
        Provisioner provisioner = cluster.provisioner(databases, migrations);
        GlobalDatabase global = ConfiguredOptions.global(cluster.properties());
        return global == null
                ? provisioner
                : provisioner.withGlobal(
                        global, ConfiguredOptions.globalMigrations(cluster.properties(), resources.getClassLoader()));
    }

    /** Closed before the map is no longer kept up to date. */
    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "sharded-id.moves.recover", matchIfMissing = true)
    RecoveredWork shardedIdRecoveredWork(
            ConfiguredCluster cluster,
            ShardMapKeeper keeper,
            CurrentShardMap map,
            ShardedDatabases databases,
            ShardMigrations migrations,
            Provisioner provisioner,
            ObjectProvider<MoveListener> listeners) {
        return new RecoveredWork(
                map,
                databases,
                cluster::openPools,
                pools -> cluster.mover(
                        pools, migrations, listeners.orderedStream().toList()),
                cluster.properties().provisioning().enabled() ? provisioner : null);
    }

    @Bean
    @ConditionalOnMissingBean
    Cluster shardedIdCluster(ClusterDefinition definition, CurrentShardMap map) {
        return new Cluster(definition.layout(), map);
    }

    @Bean
    @ConditionalOnMissingBean
    ShardPlacement shardedIdPlacement() {
        return ShardPlacement.even();
    }

    /** Notifies all listener beans. Options of the application notify only their own listener. */
    @Bean
    @ConditionalOnMissingBean
    JvmIdOptions shardedIdJvmIdOptions(ShardedIdProperties properties, ObjectProvider<LeaseListener> listeners) {
        return ConfiguredOptions.jvmIds(properties.jvmIds())
                .withListener(Listeners.of(
                        LeaseListener.class, listeners.orderedStream().toList()));
    }

    @Bean
    @ConditionalOnMissingBean
    ScatterOptions shardedIdScatterOptions(ShardedIdProperties properties, ShardedDatabases databases) {
        return ConfiguredOptions.scatterWithin(properties, databases);
    }

    /** Notifies all listener beans. Options of the application notify only their own listener. */
    @Bean
    @ConditionalOnMissingBean
    RoutingOptions shardedIdRoutingOptions(
            ShardedDatabases databases,
            ScatterOptions scatter,
            ShardedIdProperties properties,
            ObjectProvider<RoutingListener> listeners,
            StagedProvisioning provisioning) {
        return new RoutingOptions(
                properties.deferredBegin(),
                provisioning.after(databases.readPools()),
                scatter,
                databases.replicas(),
                ConfiguredOptions.global(properties),
                ConfiguredOptions.fenceWait(properties).fenceWait(),
                RoutingOptions.DEFAULT.mapAge(),
                Listeners.of(RoutingListener.class, listeners.orderedStream().toList()),
                ConfiguredOptions.commonSchemas(properties));
    }

    /** Other data sources of the application stand beside it, as it is the primary one, unless one that is wraps it. */
    @Bean
    @Primary
    @ConditionalOnMissingBean
    RoutingDataSource shardedDataSource(
            Cluster cluster,
            ShardedDatabases databases,
            RoutingOptions options,
            ConfigurableListableBeanFactory beans,
            StagedProvisioning provisioning) {
        RoutingDataSource routing = new RoutingDataSource(cluster, provisioning.after(databases.byName()), options);
        // Not created here: it builds its keys by this data source.
        if (beans.getBeanNamesForType(ShardingKeyProvider.class, true, false).length > 0) {
            ObjectProvider<ShardingKeyProvider> keys = beans.getBeanProvider(ShardingKeyProvider.class);
            Supplier<ShardingKeyProvider> key = SingletonSupplier.of(keys::getObject);
            routing.setRequestKeys(() -> key.get().getShardingKey());
        }
        if (provisioning.failure() == null) {
            routing.checkReplicas();
        } // Else the start is refused already, with what the mappings lack.
        return routing;
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(SanitizingFunction.class)
    static class Endpoints {
        /** Applies even if the endpoints are configured to show all values. */
        @Bean
        SanitizingFunction shardedIdSecretProperties() {
            return new SecretProperties();
        }
    }

    /** The shard map of provisioned databases, and what keeps it up to date. */
    @Configuration(proxyBeanMethods = false)
    static class ShardMapConfiguration {
        @Bean
        @ConditionalOnMissingBean(ShardMapSource.class)
        DatabaseShardMapSource shardedIdShardMapSource(ClusterDefinition definition, ShardedDatabases databases) {
            return new DatabaseShardMapSource(definition, databases.forMap());
        }

        @Bean
        @ConditionalOnMissingBean
        StagedProvisioning shardedIdStagedProvisioning(
                ConfiguredCluster cluster,
                ShardedDatabases databases,
                ShardMigrations migrations,
                Provisioner provisioner,
                ListableBeanFactory beans) {
            boolean enabled = cluster.properties().provisioning().enabled();
            StagedProvisioning start = new StagedProvisioning(provisioner, enabled, beans);
            GlobalDatabase global = ConfiguredOptions.global(cluster.properties());
            if (global != null) {
                start.replicateBy(global, tables -> cluster.mover(databases, migrations, List.of())
                        .replicate(global, tables));
            }
            return start;
        }

        @Bean
        @ConditionalOnMissingBean
        CurrentShardMap shardedIdShardMap(
                StagedProvisioning provisioning, ShardMapSource source, ShardedDatabases databases) {
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
        UnavailableDatabases shardedIdLateDatabases(
                ShardMapKeeper keeper,
                CurrentShardMap map,
                DatabaseShardMapSource source,
                StagedProvisioning provisioning,
                ShardedDatabases databases) {
            return new UnavailableDatabases(map, source, databases.forMap(), provisioning::again);
        }
    }

    /** Sanitizes passwords below {@code sharded-id} in actuator endpoints, including those in URLs and pool settings. */
    static final class SecretProperties implements SanitizingFunction {
        private static final Pattern OURS = Pattern.compile("sharded[._-]?id");
        private static final Pattern SECRET = Pattern.compile("password|secret|placeholders|credentials|token");

        @Override
        public SanitizableData apply(SanitizableData data) {
            String key = data.getLowerCaseKey();
            if (key == null || !OURS.matcher(key).lookingAt() || data.getValue() == null) {
                return data;
            }
            boolean secret = SECRET.matcher(key).find()
                    || (data.getValue() instanceof CharSequence text
                            && text.toString().startsWith("jdbc:"));
            return secret ? data.withSanitizedValue() : data;
        }
    }
}
