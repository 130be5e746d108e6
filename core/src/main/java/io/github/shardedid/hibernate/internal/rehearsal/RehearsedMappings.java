package io.github.shardedid.hibernate.internal.rehearsal;

import io.github.shardedid.generator.JvmIdOptions;
import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.Rehearsal;
import io.github.shardedid.hibernate.internal.checks.ColocatedKeys;
import io.github.shardedid.hibernate.internal.checks.MappingChecks;
import io.github.shardedid.hibernate.internal.mapping.Associations;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.hibernate.internal.queries.EntityShardRules;
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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.hibernate.boot.Metadata;
import org.hibernate.engine.spi.SessionFactoryImplementor;
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
    private final Sharding sharding = imagined();
    private volatile @Nullable State state;

    private record State(
            EntityShardRules shards,
            List<String> problems,
            List<String> assumptions,
            List<String> uniqueInShards,
            RehearsedStatements statements) {}

    /** Creates the service of a session factory, without mappings. */
    RehearsedMappings(Listener listener) {
        this.listener = listener;
    }

    /** Reads the mappings, before the session factory is used. */
    void read(Metadata metadata, SessionFactoryImplementor factory, Class<? extends SqmTranslatorFactory> translator) {
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
        WrittenRows.register(factory, mappings, sharding.referring(), listener);
        listener.read(this);
    }

    /** As many shards as ids can name, so that each number could be an id. */
    private static Sharding imagined() {
        int shards = IdLayout.DEFAULT.maxShards();
        List<ShardOwnership> all = IntStream.range(0, shards)
                .mapToObj(shard -> new ShardOwnership(shard, "rehearsal", 1))
                .toList();
        Cluster cluster = new Cluster(IdLayout.DEFAULT, CurrentShardMap.fixed(new ShardMap(shards, all, Map.of())));
        return new Sharding(
                new RoutingDataSource(cluster, Map.of("rehearsal", NONE)), ShardPlacement.even(), JvmIdOptions.DEFAULT);
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

    /** Returns the shards of a cluster that does not exist, before and after the mappings have been read. */
    Sharding sharding() {
        return sharding;
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

    /**
     * The tables that Hibernate joins by itself when it reads rows by their ids, because an eager to-one association leads to an entity in
     * the other database. With shards it reads those entities with a statement of their own.
     */
    private static final class EagerJoins {
        private final Metadata metadata;
        private final Set<String> tables = new HashSet<>();
        private final Set<PersistentClass> seen = new HashSet<>();
        private final Deque<PersistentClass> next = new ArrayDeque<>();

        private EagerJoins(Metadata metadata) {
            this.metadata = metadata;
        }

        static Set<String> tables(Metadata metadata, ShardedMappings mappings) {
            EagerJoins joins = new EagerJoins(metadata);
            for (Associations.ToOneAttribute toOne : Associations.toOnes(metadata)) {
                String target = toOne.value().getReferencedEntityName();
                if (!toOne.value().isLazy()
                        && mappings.isGlobal(toOne.owner().getEntityName()) != mappings.isGlobal(target)) {
                    joins.reach(target);
                }
            }
            while (!joins.next.isEmpty()) {
                joins.follow(joins.next.remove());
            }
            return joins.tables;
        }

        private void reach(@Nullable String entity) {
            PersistentClass target = metadata.getEntityBinding(entity);
            if (target != null && seen.add(target)) {
                next.add(target);
            }
        }

        /** What is joined to a joined row: its other tables, and what it refers to eagerly in turn. */
        private void follow(PersistentClass entity) {
            for (PersistentClass at = entity; at != null; at = at.getSuperclass()) {
                tables.add(at.getTable().getName());
                at.getJoins().forEach(join -> tables.add(join.getTable().getName()));
            }
            entity.getDirectSubclasses().forEach(subclass -> reach(subclass.getEntityName()));
            Associations.toOnes(metadata).stream()
                    .filter(toOne -> toOne.owner() == entity && !toOne.value().isLazy())
                    .forEach(toOne -> reach(toOne.value().getReferencedEntityName()));
            for (Collection collection : metadata.getCollectionBindings()) {
                if (collection.getOwner() == entity && !collection.isLazy()) {
                    tables.add(collection.getCollectionTable().getName());
                    reach(Associations.referenced(collection.getElement()));
                }
            }
        }
    }
}
