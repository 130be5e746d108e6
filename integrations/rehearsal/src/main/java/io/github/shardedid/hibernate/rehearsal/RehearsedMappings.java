package io.github.shardedid.hibernate.rehearsal;

import io.github.shardedid.generator.JvmIdOptions;
import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.internal.checks.ColocatedKeys;
import io.github.shardedid.hibernate.internal.checks.MappingChecks;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.hibernate.internal.mapping.UniqueAttributes;
import io.github.shardedid.hibernate.internal.mapping.UniqueAttributesReader;
import io.github.shardedid.hibernate.internal.queries.EntityShardRules;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.hibernate.internal.unique.UniqueKeys;
import io.github.shardedid.hibernate.internal.unroutable.UnroutableEntities;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardOwnership;
import io.github.shardedid.topology.ShardPlacement;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.hibernate.boot.Metadata;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.service.Service;
import org.jspecify.annotations.Nullable;

/**
 * The service of Hibernate's registry that rehearses; null if the setting is missing. Safe for use by several threads.
 *
 * <p>The same checks and rules are used as with shards, so that both agree. A rehearsal differs in what stands
 * behind them: a cluster that does not exist, and listeners instead of guards.
 */
final class RehearsedMappings implements Service {
    /**
     * The data source of the imagined database. Whatever asks for a connection of it is an error of this
     * integration.
     */
    private static final DataSource NONE = (DataSource) Proxy.newProxyInstance(
            RehearsedMappings.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                throw new UnsupportedOperationException("A rehearsal has no shards.");
            });

    private final Rehearsal.Listener listener;
    private final Sharding sharding = imagined();
    /** The result of reading the mappings, which is set once, when the session factory is created; null until then. */
    private volatile @Nullable Rehearsal read;

    /**
     * The result of reading the mappings.
     *
     * @param shards the rules by which queries would be routed
     * @param mappings a sentence for each thing that is needed
     * @param statements knows which statements would be refused
     */
    private record Read(EntityShards shards, List<String> mappings, RehearsedStatements statements)
            implements Rehearsal {
        @Override
        public Optional<String> refusal(
                String sql, boolean byHibernate, @Nullable Target scope, @Nullable Connection connection)
                throws SQLException {
            return statements.refusal(sql, byHibernate, scope, connection);
        }
    }

    /** Creates the service of a session factory, without mappings. */
    RehearsedMappings(Rehearsal.Listener listener) {
        this.listener = listener;
    }

    /**
     * Reads the mappings, before the session factory is used.
     *
     * <p>The boot model stays as it is: problems are collected, and {@code apply} is never called.
     */
    void read(Metadata metadata, SessionFactoryImplementor factory) {
        MappingProblems problems = new MappingProblems();
        AssumedEntities assumed = AssumedEntities.of(metadata);
        MappingChecks checks = new MappingChecks(
                metadata, factory.getSessionFactoryOptions(), IdLayout.DEFAULT, assumed, true, problems);
        ShardedMappings mappings = checks.mappings();
        sharding.setMappings(mappings);
        UnroutableEntities.install(sharding, metadata, problems);
        List<UniqueAttributes> unique = new UniqueAttributesReader(metadata, mappings, problems).read();
        sharding.setUniqueKeys(new UniqueKeys(unique));
        Set<String> claimed = unique.stream().map(UniqueAttributes::columns).collect(Collectors.toSet());
        List<String> needed = new ArrayList<>(problems.found());
        needed.addAll(assumed.sentences());
        ColocatedKeys colocated = new ColocatedKeys(metadata, mappings);
        colocated.uniqueInShards().stream()
                .filter(key -> !claimed.contains(key))
                .forEach(
                        key -> needed.add(
                                "The unique key " + key + " would hold within each shard only: rows of two"
                                        + " shards may have the same value. Where that must not be, annotate the attributes with @UniqueAcrossShards."));
        Rehearsal rehearsal = new Read(
                new EntityShardRules(sharding, factory),
                List.copyOf(needed),
                // Native statements know tables by their names only.
                new RehearsedStatements(checks.tables(false), checks.tables(true), colocated.ids()));
        WrittenRows.register(factory, mappings, sharding.referring(), listener);
        read = rehearsal;
        listener.read(rehearsal);
    }

    /**
     * As many shards as ids can name, so that each number could be an id.
     *
     * <p>The ids of the rows have no shards, and are decoded all the same: what counts is which value decides, and
     * not where that leads.
     */
    private static Sharding imagined() {
        int shards = IdLayout.DEFAULT.maxShards();
        List<ShardOwnership> all = IntStream.range(0, shards)
                .mapToObj(shard -> new ShardOwnership(shard, "rehearsal", 1))
                .toList();
        Cluster cluster = new Cluster(IdLayout.DEFAULT, CurrentShardMap.fixed(new ShardMap(shards, all, Map.of())));
        return new Sharding(
                new RoutingDataSource(cluster, Map.of("rehearsal", NONE)), ShardPlacement.even(), JvmIdOptions.DEFAULT);
    }

    /** Returns the shards of a cluster that does not exist, before and after the mappings have been read. */
    Sharding sharding() {
        return sharding;
    }

    /** Returns the rehearsal, once the mappings have been read. */
    Rehearsal rehearsal() {
        return Objects.requireNonNull(read, "the integrator has not read the mappings");
    }
}
