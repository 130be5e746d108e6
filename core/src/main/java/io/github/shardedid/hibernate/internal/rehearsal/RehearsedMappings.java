package io.github.shardedid.hibernate.internal.rehearsal;

import io.github.shardedid.generator.IdStatistics;
import io.github.shardedid.generator.JvmIdOptions;
import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.Rehearsal;
import io.github.shardedid.hibernate.internal.checks.ColocatedKeys;
import io.github.shardedid.hibernate.internal.checks.MappingChecks;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.hibernate.internal.queries.EntityShardRules;
import io.github.shardedid.hibernate.internal.queries.RoutedJdbcServices;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.UnmergeableQueryException;
import io.github.shardedid.routing.rehearsal.RehearsedStatements;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardOwnership;
import io.github.shardedid.topology.ShardPlacement;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.hibernate.boot.Metadata;
import org.hibernate.engine.jdbc.spi.JdbcServices;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.query.sqm.sql.SqmTranslatorFactory;
import org.hibernate.service.Service;
import org.jspecify.annotations.Nullable;

/** The service of Hibernate's registry that rehearses; null if the setting is missing. Safe for use by several threads. */
public final class RehearsedMappings implements Service, Rehearsal {
    private static final DataSource NONE = (DataSource) Proxy.newProxyInstance(
            RehearsedMappings.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                throw new UnsupportedOperationException("A rehearsal has no shards.");
            });

    private final Listener listener;
    private final Sharding sharding = sharding();
    private volatile @Nullable State state;

    private record State(
            EntityShardRules shards,
            List<String> problems,
            List<String> assumptions,
            List<String> uniqueInShards,
            RehearsedStatements statements) {}

    /** Creates the service of a session factory, without mappings. */
    public RehearsedMappings(Listener listener) {
        this.listener = listener;
    }

    /** Called by the integrator, before the session factory is used. */
    public void read(
            Metadata metadata, SessionFactoryImplementor factory, Class<? extends SqmTranslatorFactory> translator) {
        MappingProblems problems = new MappingProblems();
        AssumedMappings assumed = AssumedMappings.of(metadata);
        ShardedMappings mappings = new MappingChecks(
                        metadata, factory.getSessionFactoryOptions(), IdLayout.DEFAULT, assumed, translator, problems)
                .mappings();
        sharding.setMappings(mappings);
        state = new State(
                new EntityShardRules(sharding, factory),
                problems.found(),
                assumed.sentences(),
                ColocatedKeys.uniqueInShards(metadata, mappings),
                statements(metadata, mappings));
        LateKeys lateKeys = new LateKeys(mappings);
        WrittenRows rows =
                new WrittenRows(factory, mappings, new ReferredRows(sharding.referring()), lateKeys, listener);
        EventListenerRegistry listeners = factory.getEventListenerRegistry();
        listeners.prependListeners(EventType.PERSIST, lateKeys);
        listeners.prependListeners(EventType.PERSIST_ONFLUSH, lateKeys);
        listeners.appendListeners(EventType.POST_LOAD, rows);
        listeners.appendListeners(EventType.POST_INSERT, rows);
        listeners.appendListeners(EventType.POST_UPDATE, rows);
        listeners.appendListeners(EventType.POST_DELETE, rows);
        listeners.appendListeners(EventType.POST_COLLECTION_RECREATE, rows);
        listeners.appendListeners(EventType.POST_COLLECTION_UPDATE, rows);
        listener.read(this);
    }

    /** As many shards as ids can name, so that each number could be an id. */
    private static Sharding sharding() {
        int shards = IdLayout.DEFAULT.maxShards();
        List<ShardOwnership> all = IntStream.range(0, shards)
                .mapToObj(shard -> new ShardOwnership(shard, "rehearsal", 1))
                .toList();
        Cluster cluster = new Cluster(IdLayout.DEFAULT, CurrentShardMap.fixed(new ShardMap(shards, all, Map.of())));
        return new Sharding(
                new RoutingDataSource(cluster, Map.of("rehearsal", NONE)),
                ShardPlacement.even(),
                JvmIdOptions.DEFAULT,
                new IdStatistics(cluster));
    }

    private static RehearsedStatements statements(Metadata metadata, ShardedMappings mappings) {
        Set<String> sharded = new HashSet<>();
        Set<String> global = new HashSet<>();
        for (PersistentClass entity : metadata.getEntityBindings()) {
            Set<String> tables = mappings.isGlobal(entity.getEntityName()) ? global : sharded;
            tables.add(entity.getTable().getName());
            entity.getJoins().forEach(join -> tables.add(join.getTable().getName()));
        }
        for (Collection collection : metadata.getCollectionBindings()) {
            if (!collection.isOneToMany()) {
                Set<String> tables = mappings.isGlobal(collection.getOwnerEntityName()) ? global : sharded;
                tables.add(collection.getCollectionTable().getName());
            }
        }
        return new RehearsedStatements(
                sharded, global, EagerJoins.tables(metadata, mappings), ColocatedKeys.of(metadata, mappings));
    }

    /** Of the session factory, before it has mappings. */
    public JdbcServices jdbcServices() {
        return new RoutedJdbcServices(sharding, true);
    }

    static EntityShardRules shardsOf(SessionFactoryImplementor factory) {
        return factory.getServiceRegistry()
                .requireService(RehearsedMappings.class)
                .state()
                .shards();
    }

    private State state() {
        return Objects.requireNonNull(state, "the integrator has not read the mappings");
    }

    @Override
    public EntityShards shards() {
        return state().shards();
    }

    @Override
    public List<String> problems() {
        return state().problems();
    }

    @Override
    public List<String> assumptions() {
        return state().assumptions();
    }

    @Override
    public List<String> uniqueInShards() {
        return state().uniqueInShards();
    }

    @Override
    public RehearsedStatements.Tables tablesOf(String sql) {
        return state().statements().tablesOf(sql);
    }

    @Override
    public Optional<String> obstacleToAllShards(String sql, @Nullable Connection connection) throws SQLException {
        try {
            state().statements().requireMergeable(sql, connection);
            return Optional.empty();
        } catch (UnmergeableQueryException refused) {
            return Optional.of(String.valueOf(refused.getMessage()));
        }
    }
}
