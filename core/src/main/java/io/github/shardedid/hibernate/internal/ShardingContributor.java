package io.github.shardedid.hibernate.internal;

import io.github.shardedid.generator.JvmIdOptions;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.ShardingSettings;
import io.github.shardedid.hibernate.internal.guards.GuardedTranslatorFactory;
import io.github.shardedid.hibernate.internal.persister.LastWrite;
import io.github.shardedid.hibernate.internal.persister.RoutedPersisters;
import io.github.shardedid.hibernate.internal.persister.ScopedBatch;
import io.github.shardedid.hibernate.internal.persister.ShardBatchLoaderFactory;
import io.github.shardedid.hibernate.internal.queries.RoutedJdbcServices;
import io.github.shardedid.hibernate.internal.queries.RoutedSelect;
import io.github.shardedid.hibernate.internal.routing.ServiceInitiator;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.hibernate.internal.tenants.TenantShards;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.topology.ShardPlacement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.cfg.JdbcSettings;
import org.hibernate.cfg.MappingSettings;
import org.hibernate.cfg.MultiTenancySettings;
import org.hibernate.cfg.QuerySettings;
import org.hibernate.cfg.SchemaToolingSettings;
import org.hibernate.engine.jdbc.batch.internal.BatchBuilderInitiator;
import org.hibernate.engine.jdbc.batch.spi.BatchBuilder;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
import org.hibernate.engine.jdbc.spi.JdbcServices;
import org.hibernate.loader.ast.spi.BatchLoaderFactory;
import org.hibernate.persister.spi.PersisterClassResolver;
import org.hibernate.resource.transaction.internal.TransactionCoordinatorBuilderInitiator;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;
import org.hibernate.service.spi.ServiceContributor;
import org.hibernate.sql.results.jdbc.spi.JdbcValuesMappingProducerProvider;

/**
 * Registers the sharding services and the settings that routing needs, if the data source routes. So plain Hibernate needs no
 * configuration but the data source.
 *
 * <p>Hibernate finds it by the service loader, for each session factory of the application, also for those that are
 * not sharded: then it registers one service, which is null. Most settings are put only where the application has
 * given none.
 */
public final class ShardingContributor implements ServiceContributor {
    /** Hibernate's settings that create or validate tables. */
    private static final List<String> ACTIONS =
            List.of(SchemaToolingSettings.HBM2DDL_AUTO, SchemaToolingSettings.JAKARTA_HBM2DDL_DATABASE_ACTION);

    @Override
    public void contribute(StandardServiceRegistryBuilder builder) {
        RoutingDataSource source = Sharding.routingDataSource(builder.getSettings());
        // Always registered, since the rest of the integration asks for it.
        builder.addInitiator(new ServiceInitiator<>(
                Sharding.class, (settings, registry) -> source == null ? null : sharding(source, settings)));
        if (source != null) {
            addServices(builder, source);
            applyDefaults(builder);
        }
    }

    /**
     * Registers the services by which Hibernate's work is routed: persisters, executors of queries, batch
     * loaders and batches, the environment of the databases, and transactions that can commit with their last
     * write.
     */
    private static void addServices(StandardServiceRegistryBuilder builder, RoutingDataSource source) {
        builder.addInitiator(
                new ServiceInitiator<>(PersisterClassResolver.class, (settings, registry) -> new RoutedPersisters()));
        builder.addInitiator(new ServiceInitiator<>(
                JdbcServices.class,
                (settings, registry) -> RoutedJdbcServices.of(registry.requireService(Sharding.class))));
        builder.addInitiator(new ServiceInitiator<>(
                JdbcValuesMappingProducerProvider.class, (settings, registry) -> new RoutedSelect.Mappings()));
        builder.addInitiator(new ServiceInitiator<>(
                BatchLoaderFactory.class,
                (settings, registry) ->
                        new ShardBatchLoaderFactory(settings, registry, registry.requireService(Sharding.class))));
        builder.addInitiator(
                new ServiceInitiator<>(JdbcEnvironment.class, (settings, registry) -> new PostgresEnvironments(source)
                        .initiateService(settings, registry)));
        builder.addInitiator(new ServiceInitiator<>(
                BatchBuilder.class,
                (settings, registry) ->
                        ScopedBatch.builder(BatchBuilderInitiator.INSTANCE.initiateService(settings, registry))));
        builder.addInitiator(new ServiceInitiator<>(
                TransactionCoordinatorBuilder.class,
                (settings, registry) -> LastWrite.builder(
                        TransactionCoordinatorBuilderInitiator.INSTANCE.initiateService(settings, registry))));
    }

    /**
     * Sets what routing needs. Two settings replace those of the application, since routing does not work
     * without them.
     */
    private static void applyDefaults(StandardServiceRegistryBuilder builder) {
        // The connection replaces the placeholder when it prepares a statement, so nothing is set on the server.
        builder.applySetting(MappingSettings.DEFAULT_SCHEMA, RoutingDataSource.SCHEMA_PLACEHOLDER);
        // True only for a pool that switches autocommit off; without it each statement would be a transaction of its
        // own.
        builder.applySetting(JdbcSettings.CONNECTION_PROVIDER_DISABLES_AUTOCOMMIT, "false");
        Map<String, Object> settings = builder.getSettings();
        if (Boolean.parseBoolean(String.valueOf(settings.get(MappingSettings.KEYWORD_AUTO_QUOTING_ENABLED)))) {
            throw new ShardedIdMappingException(MappingSettings.KEYWORD_AUTO_QUOTING_ENABLED
                    + " is true, but Hibernate does not connect at the start, so it cannot ask PostgreSQL for its keywords."
                    + " Remove it, and quote the names in the mappings.");
        }
        replaceSchemaManagement(settings);
        // A translator of the application is checked by the integrator, which can say what is wrong with it.
        settings.putIfAbsent(QuerySettings.SEMANTIC_QUERY_TRANSLATOR, GuardedTranslatorFactory.class.getName());
        settings.putIfAbsent(MultiTenancySettings.MULTI_TENANT_SCHEMA_MAPPER, new TenantShards.Schemas());
        // Hibernate must not connect at start-up, because a database may be down. So its metadata is given here.
        settings.putIfAbsent("hibernate.boot.allow_jdbc_metadata_access", "false");
        settings.putIfAbsent(JdbcSettings.JAKARTA_HBM2DDL_DB_NAME, "PostgreSQL");
        // The oldest version that is supported: databases of one cluster may have different ones.
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

    private static Sharding sharding(RoutingDataSource source, Map<String, Object> settings) {
        return new Sharding(
                source,
                given(settings, ShardingSettings.SHARD_PLACEMENT, ShardPlacement.class, ShardPlacement.even()),
                given(settings, ShardingSettings.JVM_ID_OPTIONS, JvmIdOptions.class, JvmIdOptions.DEFAULT));
    }

    /** Returns an object in the settings, or a default if there is none of its type. */
    private static <T> T given(Map<String, Object> settings, String name, Class<T> type, T otherwise) {
        Object given = settings.get(name);
        return type.isInstance(given) ? type.cast(given) : otherwise;
    }
}
