package io.github.shardedid.hibernate.internal;

import io.github.shardedid.generator.IdStatistics;
import io.github.shardedid.generator.JvmIdOptions;
import io.github.shardedid.hibernate.Rehearsal;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.ShardingSettings;
import io.github.shardedid.hibernate.internal.guards.GuardedTranslatorFactory;
import io.github.shardedid.hibernate.internal.persister.RoutedPersisterResolver;
import io.github.shardedid.hibernate.internal.persister.ScopedBatches;
import io.github.shardedid.hibernate.internal.persister.ShardBatchLoaderFactory;
import io.github.shardedid.hibernate.internal.persister.SingleTripCommit;
import io.github.shardedid.hibernate.internal.queries.HqlOfReferences;
import io.github.shardedid.hibernate.internal.queries.RoutedJdbcServices;
import io.github.shardedid.hibernate.internal.queries.RoutedSelect;
import io.github.shardedid.hibernate.internal.rehearsal.RehearsedMappings;
import io.github.shardedid.hibernate.internal.rehearsal.RehearsedTranslatorFactory;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.hibernate.internal.routing.TenantShards;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.topology.ShardPlacement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;
import org.hibernate.boot.registry.StandardServiceInitiator;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.cfg.JdbcSettings;
import org.hibernate.cfg.MappingSettings;
import org.hibernate.cfg.MultiTenancySettings;
import org.hibernate.cfg.QuerySettings;
import org.hibernate.cfg.SchemaToolingSettings;
import org.hibernate.engine.jdbc.batch.internal.BatchBuilderInitiator;
import org.hibernate.engine.jdbc.batch.spi.BatchBuilder;
import org.hibernate.engine.jdbc.env.internal.JdbcEnvironmentInitiator;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
import org.hibernate.engine.jdbc.internal.JdbcServicesImpl;
import org.hibernate.engine.jdbc.spi.JdbcServices;
import org.hibernate.loader.ast.internal.StandardBatchLoaderFactory;
import org.hibernate.loader.ast.spi.BatchLoaderFactory;
import org.hibernate.persister.internal.StandardPersisterClassResolver;
import org.hibernate.persister.spi.PersisterClassResolver;
import org.hibernate.resource.transaction.internal.TransactionCoordinatorBuilderInitiator;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;
import org.hibernate.service.Service;
import org.hibernate.service.spi.ServiceContributor;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.hibernate.sql.results.jdbc.spi.JdbcValuesMappingProducerProvider;
import org.jspecify.annotations.Nullable;

/**
 * Registers the sharding services and the settings that routing needs, if the data source routes. So plain Hibernate needs no
 * configuration but the data source.
 */
public final class ShardingContributor implements ServiceContributor {
    private static final List<String> DATA_SOURCES = List.of(
            ShardingSettings.ROUTING_DATA_SOURCE,
            JdbcSettings.JAKARTA_NON_JTA_DATASOURCE,
            JdbcSettings.JAKARTA_JTA_DATASOURCE,
            "hibernate.connection.datasource");

    /** Hibernate's settings that create or validate tables. */
    private static final List<String> ACTIONS =
            List.of(SchemaToolingSettings.HBM2DDL_AUTO, SchemaToolingSettings.JAKARTA_HBM2DDL_DATABASE_ACTION);

    @Override
    public void contribute(StandardServiceRegistryBuilder builder) {
        builder.addInitiator(service(Sharding.class, (settings, registry) -> sharding(settings)));
        builder.addInitiator(service(RehearsedMappings.class, (settings, registry) -> rehearsal(settings)));
        builder.addInitiator(service(
                PersisterClassResolver.class,
                (settings, registry) -> routingDataSource(settings) == null
                        ? new StandardPersisterClassResolver()
                        : new RoutedPersisterResolver()));
        builder.addInitiator(service(JdbcServices.class, (settings, registry) -> {
            Sharding sharding = Sharding.of(registry);
            if (sharding != null) {
                return new RoutedJdbcServices(sharding, false);
            }
            RehearsedMappings rehearsal = registry.getService(RehearsedMappings.class);
            return rehearsal == null ? new JdbcServicesImpl() : rehearsal.jdbcServices();
        }));
        builder.addInitiator(
                service(JdbcValuesMappingProducerProvider.class, (settings, registry) -> new RoutedSelect.Mappings()));
        builder.addInitiator(service(BatchLoaderFactory.class, (settings, registry) -> {
            Sharding sharding = Sharding.of(registry);
            return sharding == null
                    ? new StandardBatchLoaderFactory(settings, registry)
                    : new ShardBatchLoaderFactory(settings, registry, sharding);
        }));
        builder.addInitiator(service(JdbcEnvironment.class, (settings, registry) -> {
            RoutingDataSource source = routingDataSource(settings);
            return (source == null ? JdbcEnvironmentInitiator.INSTANCE : new PostgresEnvironments(source))
                    .initiateService(settings, registry);
        }));
        builder.addInitiator(service(BatchBuilder.class, (settings, registry) -> {
            BatchBuilder batches = BatchBuilderInitiator.INSTANCE.initiateService(settings, registry);
            return routingDataSource(settings) == null ? batches : new ScopedBatches(batches);
        }));
        builder.addInitiator(service(TransactionCoordinatorBuilder.class, (settings, registry) -> {
            TransactionCoordinatorBuilder coordinators =
                    TransactionCoordinatorBuilderInitiator.INSTANCE.initiateService(settings, registry);
            return routingDataSource(settings) == null ? coordinators : new SingleTripCommit.Builder(coordinators);
        }));
        if (routingDataSource(builder.getSettings()) != null) {
            applyDefaults(builder);
        } else if (builder.getSettings().get(ShardingSettings.REHEARSAL) instanceof Rehearsal.Listener) {
            builder.getSettings()
                    .putIfAbsent(QuerySettings.SEMANTIC_QUERY_TRANSLATOR, RehearsedTranslatorFactory.class.getName());
        }
    }

    private static void applyDefaults(StandardServiceRegistryBuilder builder) {
        // The connection replaces the placeholder when it prepares a statement, so nothing is set on the server.
        builder.applySetting(MappingSettings.DEFAULT_SCHEMA, RoutingDataSource.SCHEMA_PLACEHOLDER);
        // True only for a pool that switches autocommit off; without it each statement would be a transaction of its
        // own.
        builder.applySetting(JdbcSettings.CONNECTION_PROVIDER_DISABLES_AUTOCOMMIT, "false");
        Map<String, Object> settings = builder.getSettings();
        replaceSchemaManagement(settings);
        settings.putIfAbsent(QuerySettings.SEMANTIC_QUERY_TRANSLATOR, GuardedTranslatorFactory.class.getName());
        settings.putIfAbsent(QuerySettings.SEMANTIC_QUERY_PRODUCER, HqlOfReferences.class.getName());
        settings.putIfAbsent(MultiTenancySettings.MULTI_TENANT_SCHEMA_MAPPER, new TenantShards());
        // Hibernate must not connect at start-up, because a database may be down. So its metadata is given here.
        settings.putIfAbsent("hibernate.boot.allow_jdbc_metadata_access", "false");
        settings.putIfAbsent(JdbcSettings.JAKARTA_HBM2DDL_DB_NAME, "PostgreSQL");
        settings.putIfAbsent(JdbcSettings.JAKARTA_HBM2DDL_DB_MAJOR_VERSION, "15");
    }

    /**
     * Replaces {@code validate} by the validation of the shards, and refuses to create or change tables: Hibernate's schema management
     * knows one schema, and not those of the shards.
     */
    private static void replaceSchemaManagement(Map<String, Object> settings) {
        for (String name : ACTIONS) {
            Object action = settings.get(name);
            String text = action == null ? "none" : action.toString().toLowerCase(Locale.ROOT);
            if (text.equals("validate")) {
                settings.put(name, "none");
                settings.put(ShardingSettings.VALIDATE_TABLES, true);
            } else if (!text.equals("none")) {
                throw new ShardedIdMappingException(
                        name + " is " + action + ", but Hibernate cannot create the tables of"
                                + " every shard. Remove it, and write migrations, which run in the schema of every shard;"
                                + " validate compares the shards with the mappings.");
            }
        }
    }

    private static @Nullable Sharding sharding(Map<String, Object> settings) {
        RoutingDataSource source = routingDataSource(settings);
        if (source == null) {
            return null;
        }
        IdStatistics own = new IdStatistics(source.cluster());
        return new Sharding(
                source,
                given(settings, ShardingSettings.SHARD_PLACEMENT, ShardPlacement.class, ShardPlacement.even()),
                given(settings, ShardingSettings.JVM_ID_OPTIONS, JvmIdOptions.class, JvmIdOptions.DEFAULT),
                given(settings, ShardingSettings.ID_STATISTICS, IdStatistics.class, own));
    }

    private static @Nullable RehearsedMappings rehearsal(Map<String, Object> settings) {
        return settings.get(ShardingSettings.REHEARSAL) instanceof Rehearsal.Listener listener
                        && routingDataSource(settings) == null
                ? new RehearsedMappings(listener)
                : null;
    }

    private static <T> T given(Map<String, Object> settings, String name, Class<T> type, T otherwise) {
        Object given = settings.get(name);
        return type.isInstance(given) ? type.cast(given) : otherwise;
    }

    private static @Nullable RoutingDataSource routingDataSource(Map<String, Object> settings) {
        for (String name : DATA_SOURCES) {
            try {
                if (settings.get(name) instanceof DataSource source && source.isWrapperFor(RoutingDataSource.class)) {
                    return source.unwrap(RoutingDataSource.class);
                }
            } catch (SQLException e) {
                throw new IllegalStateException("The data source in the setting " + name + " cannot be unwrapped.", e);
            }
        }
        return null;
    }

    private static <S extends Service> StandardServiceInitiator<S> service(Class<S> role, Initiation<S> initiation) {
        return new StandardServiceInitiator<>() {
            @Override
            public Class<S> getServiceInitiated() {
                return role;
            }

            @Override
            public @Nullable S initiateService(Map<String, Object> settings, ServiceRegistryImplementor registry) {
                return initiation.initiate(settings, registry);
            }
        };
    }

    @FunctionalInterface
    private interface Initiation<S> {
        @Nullable
        S initiate(Map<String, Object> settings, ServiceRegistryImplementor registry);
    }
}
