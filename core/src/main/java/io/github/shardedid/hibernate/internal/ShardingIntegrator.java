package io.github.shardedid.hibernate.internal;

import io.github.shardedid.hibernate.CheckedStart;
import io.github.shardedid.hibernate.ShardingSettings;
import io.github.shardedid.hibernate.internal.StartChecks.Check;
import io.github.shardedid.hibernate.internal.checks.ColocatedKeys;
import io.github.shardedid.hibernate.internal.checks.MappingChecks;
import io.github.shardedid.hibernate.internal.checks.ReplicatedEntities;
import io.github.shardedid.hibernate.internal.mapping.AssumedMappings;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import io.github.shardedid.hibernate.internal.mapping.UniqueAttributes;
import io.github.shardedid.hibernate.internal.mapping.UniqueAttributesReader;
import io.github.shardedid.hibernate.internal.persister.ApplicationCallbacks;
import io.github.shardedid.hibernate.internal.persister.FlushPlan;
import io.github.shardedid.hibernate.internal.persister.OwnerScopes;
import io.github.shardedid.hibernate.internal.persister.OwnerScopes.Merges;
import io.github.shardedid.hibernate.internal.persister.OwnerScopes.Persists;
import io.github.shardedid.hibernate.internal.queries.RoutedJdbcServices;
import io.github.shardedid.hibernate.internal.routing.CopiedRows;
import io.github.shardedid.hibernate.internal.routing.Overridden;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.hibernate.internal.rows.RowReferences;
import io.github.shardedid.hibernate.internal.tenants.TenantShards;
import io.github.shardedid.hibernate.internal.unique.ClaimStates;
import io.github.shardedid.hibernate.internal.unique.UniqueKeys;
import io.github.shardedid.hibernate.internal.unroutable.UnroutableEntities;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.integrator.spi.Integrator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the sharded mappings and registers the guards, if the data source routes.
 *
 * <p>Hibernate calls it once per session factory, when the boot model is complete and before it creates the runtime
 * model. That order matters:
 *
 * <ol>
 *   <li>The mappings are read and checked, and the boot model is changed, so that the runtime model is created from
 *       the changed one.
 *   <li>Checks of the databases begin on threads of their own, while Hibernate goes on.
 *   <li>The columns with ids are declared to the data source, which routes native SQL and joins over shards by
 *       them.
 *   <li>Listeners are registered. Those of a flush replace Hibernate's, others are added or wrapped.
 *   <li>Tenants get their shards, which the mappings name.
 * </ol>
 */
public final class ShardingIntegrator implements Integrator {
    private static final Logger LOG = LoggerFactory.getLogger(ShardingIntegrator.class);

    @Override
    public void integrate(Metadata metadata, BootstrapContext context, SessionFactoryImplementor factory) {
        Sharding sharding = Sharding.of(factory.getServiceRegistry());
        if (sharding == null) {
            return;
        }
        MappingProblems problems = new MappingProblems();
        boolean replicates = new ReplicatedTables(sharding.dataSource(), start(factory))
                .areUsable(ReplicatedEntities.tables(metadata));
        MappingChecks mappings = new MappingChecks(
                metadata,
                factory.getSessionFactoryOptions(),
                sharding.cluster().layout(),
                AssumedMappings.NONE,
                replicates,
                problems);
        sharding.setMappings(mappings.mappings());
        UnroutableEntities unroutable = UnroutableEntities.install(sharding, metadata, problems);
        mappings.apply(sharding.dataSource().global());
        UniqueAttributesReader reader = new UniqueAttributesReader(metadata, mappings.mappings(), problems);
        List<UniqueAttributes> unique = reader.read();
        sharding.setUniqueKeys(new UniqueKeys(unique));
        // An object that was read earlier would write back a value that another row has claimed since.
        unique.forEach(each -> metadata.getEntityBinding(each.entityName()).setDynamicUpdate(true));
        beginChecks(metadata, factory, sharding, problems.found());
        Set<String> written = reader.written();
        if (!written.isEmpty()) {
            boolean builds =
                    Boolean.parseBoolean(String.valueOf(settings(factory).get(ShardingSettings.BUILD_CLAIMS)));
            factory.addObserver(new ClaimStates(sharding.dataSource(), sharding.uniqueKeys(), written, builds));
        }
        ColocatedKeys colocated = new ColocatedKeys(metadata, sharding.mappings());
        sharding.dataSource().declareColocated(colocated.ids());
        sharding.setReferences(new RowReferences(metadata, sharding.mappings()));
        colocatedColumns(factory).accept(colocated.ids());
        Set<String> claimed = unique.stream().map(UniqueAttributes::columns).collect(Collectors.toSet());
        warnOfUniqueKeys(colocated.uniqueInShards().stream()
                .filter(key -> !claimed.contains(key))
                .toList());
        EventListenerRegistry listeners = factory.getEventListenerRegistry();
        ApplicationCallbacks.register(metadata, factory, listeners);
        FlushPlan.OnFlush flush = new FlushPlan.OnFlush(sharding);
        listeners.setListeners(EventType.FLUSH, flush);
        listeners.setListeners(EventType.AUTO_FLUSH, new FlushPlan.OnAutoFlush(sharding));
        listeners.appendListeners(EventType.FLUSH_ENTITY, flush);
        if (unroutable != null) {
            unroutable.register(listeners);
        }
        inOwnersShard(listeners, sharding);
        if (!sharding.mappings().replicated().isEmpty()) {
            listeners.appendListeners(EventType.POST_LOAD, new CopiedRows(sharding.mappings()));
        }
        TenantShards.read(sharding, factory);
        RoutedJdbcServices.check(factory);
    }

    /**
     * Begins to compare the databases with the mappings. If the mappings are refused, the comparison is waited
     * for at once, so that the exception has the problems of both.
     *
     * @throws io.github.shardedid.hibernate.ShardedIdMappingException if the mappings have problems
     */
    private static void beginChecks(
            Metadata metadata, SessionFactoryImplementor factory, Sharding sharding, List<String> problems) {
        CheckedStart start = start(factory);
        boolean refused = !problems.isEmpty();
        // Of those shards that the map has when the checks begin.
        Supplier<List<Check>> checks = () -> new CatalogCheck(sharding, metadata, settings(factory), start, refused)
                .checks(StartChecks.shards(sharding.cluster().map().get(), start));
        if (refused) {
            StartChecks.refuse(problems, checks, start);
        }
        StartChecks.begin(factory, checks, start);
    }

    /** Returns the start that migrates shards, as the starter passes it; null in plain Hibernate. */
    private static @Nullable CheckedStart start(SessionFactoryImplementor factory) {
        return settings(factory).get(ShardingSettings.CHECKED_START) instanceof CheckedStart given ? given : null;
    }

    /**
     * Returns who else wants to know the columns with ids of the row's own shard; a consumer that does nothing
     * if nobody does.
     */
    @SuppressWarnings("unchecked")
    private static Consumer<Map<String, Set<String>>> colocatedColumns(SessionFactoryImplementor factory) {
        return settings(factory).get(ShardingSettings.COLOCATED_COLUMNS) instanceof Consumer<?> given
                ? (Consumer<Map<String, Set<String>>>) given
                : columns -> {};
    }

    /**
     * A unique key holds in its shard, unless it contains what determines the shard.
     *
     * <p>PostgreSQL would enforce it in each schema by itself, which is no error, but not what the mapping seems to
     * say.
     */
    private static void warnOfUniqueKeys(List<String> found) {
        if (!found.isEmpty()) {
            LOG.warn(
                    "Unique in each shard, not in the cluster, as nothing in them determines the shard: {}. Two shards may"
                            + " have rows with the same value. Where that must not be, annotate the attributes with"
                            + " @UniqueAcrossShards.",
                    String.join("; ", found));
        }
    }

    /**
     * Wraps all listeners that are registered.
     *
     * <p>Listeners that another integrator registers later are not wrapped.
     */
    private static void inOwnersShard(EventListenerRegistry listeners, Sharding sharding) {
        OwnerScopes scopes = new OwnerScopes(sharding);
        Overridden.wrap(listeners, EventType.PERSIST, next -> new Persists(scopes, next, false));
        Overridden.wrap(listeners, EventType.PERSIST_ONFLUSH, next -> new Persists(scopes, next, true));
        Overridden.wrap(listeners, EventType.MERGE, next -> new Merges(scopes, next));
    }

    private static Map<String, Object> settings(SessionFactoryImplementor factory) {
        return factory.getServiceRegistry()
                .requireService(ConfigurationService.class)
                .getSettings();
    }
}
