package io.github.shardedid.hibernate.rehearsal;

import io.github.shardedid.hibernate.ShardingSettings;
import io.github.shardedid.hibernate.internal.guards.GuardedTranslatorFactory;
import io.github.shardedid.hibernate.internal.queries.RoutedSelect;
import io.github.shardedid.hibernate.internal.routing.ServiceInitiator;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.cfg.QuerySettings;
import org.hibernate.engine.jdbc.spi.JdbcServices;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.service.spi.ServiceContributor;
import org.hibernate.sql.results.jdbc.spi.JdbcValuesMappingProducerProvider;

/**
 * Registers the rehearsal of a session factory whose data source does not route, if {@link Rehearsal#SETTING} is set.
 *
 * <p>A rehearsal registers less than sharding: no persisters, no routes and no guards that could change or refuse
 * anything, but the executors and translators that know which values would decide. The application works on its one
 * database as before.
 */
public final class RehearsalContributor implements ServiceContributor, Integrator {
    /**
     * Registers the services of a rehearsal. Does nothing else if the data source routes, since then nothing is
     * left to rehearse.
     */
    @Override
    public void contribute(StandardServiceRegistryBuilder builder) {
        RehearsedMappings mappings = builder.getSettings().get(Rehearsal.SETTING) instanceof Rehearsal.Listener listener
                        && Sharding.routingDataSource(builder.getSettings()) == null
                ? new RehearsedMappings(listener)
                : null;
        // Always registered, since applications ask for it.
        builder.addInitiator(new ServiceInitiator<>(RehearsedMappings.class, (settings, registry) -> mappings));
        if (mappings != null) {
            builder.addInitiator(new ServiceInitiator<>(
                    JdbcServices.class,
                    (settings, registry) -> RehearsedQueries.services(
                            registry.requireService(RehearsedMappings.class).sharding())));
            builder.applySetting(ShardingSettings.UNROUTED_IDS, true);
            builder.addInitiator(new ServiceInitiator<>(
                    JdbcValuesMappingProducerProvider.class, (settings, registry) -> new RoutedSelect.Mappings()));
            builder.getSettings()
                    .putIfAbsent(QuerySettings.SEMANTIC_QUERY_TRANSLATOR, GuardedTranslatorFactory.class.getName());
        }
    }

    @Override
    public void integrate(Metadata metadata, BootstrapContext context, SessionFactoryImplementor factory) {
        RehearsedMappings rehearsal = factory.getServiceRegistry().getService(RehearsedMappings.class);
        if (rehearsal != null) {
            rehearsal.read(metadata, factory);
        }
    }
}
