package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.generator.DatabaseIdSource;
import io.github.shardedid.generator.IdSource;
import io.github.shardedid.generator.JvmIdOptions;
import io.github.shardedid.generator.JvmIdSource;
import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardingSettings;
import io.github.shardedid.hibernate.internal.mapping.ReferringAttributes;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.hibernate.internal.rows.RowReferences;
import io.github.shardedid.hibernate.internal.unique.UniqueKeys;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.RoutingControl;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.ShardPlacement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.hibernate.cfg.JdbcSettings;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.service.Service;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.service.spi.Stoppable;
import org.jspecify.annotations.Nullable;

/**
 * The sharded cluster of a session factory, with its mappings and sources of ids: a service of Hibernate's registry, null if the
 * data source does not route. Without mappings until the integrator has read them. Safe for use by several threads.
 *
 * <p>What one session factory needs of sharding is here, since Hibernate creates persisters, generators and
 * listeners itself, with nothing but its registry to find collaborators in. Two factories on one data source have
 * two of them, with mappings and sources of ids of their own.
 */
public final class Sharding implements Service, Stoppable {
    /**
     * The settings in which a data source may be, our own first: it names the routing one if Hibernate is given
     * another.
     */
    private static final List<String> DATA_SOURCES = List.of(
            ShardingSettings.ROUTING_DATA_SOURCE,
            JdbcSettings.JAKARTA_NON_JTA_DATASOURCE,
            JdbcSettings.JAKARTA_JTA_DATASOURCE,
            "hibernate.connection.datasource");

    private final RoutingDataSource dataSource;
    private final ShardPlacement placement;
    private final JvmIdOptions jvmIdOptions;
    private final DatabaseIdSource databaseIds;
    /**
     * Created with the first id.
     *
     * <p>Most applications have none, and it owns threads that renew leases.
     */
    private volatile @Nullable JvmIdSource jvmIds;

    /**
     * The mappings, and what is derived from them: written once, by the thread that creates the session factory,
     * before any session is opened.
     */
    private volatile ShardedMappings mappings = ShardedMappings.NONE;

    private volatile ReferringAttributes referring = new ReferringAttributes(mappings);

    private volatile @Nullable RowReferences references;

    private volatile UniqueKeys uniqueKeys = UniqueKeys.NONE;

    private volatile Set<String> claiming = Set.of();
    /** The entities whose new rows may not simply be saved where the scope says. */
    private volatile Set<String> choosing = Set.of();

    private volatile @Nullable UnroutableIds unroutableIds;
    /** Null if sessions have no shards. */
    private volatile @Nullable SessionShards sessionShards;

    public Sharding(RoutingDataSource dataSource, ShardPlacement placement, JvmIdOptions jvmIdOptions) {
        this.dataSource = dataSource;
        this.placement = placement;
        this.jvmIdOptions = jvmIdOptions;
        this.databaseIds = new DatabaseIdSource(dataSource.cluster().layout());
    }

    /** Returns the data source of a session factory with the given settings; null if it does not route. */
    public static @Nullable RoutingDataSource routingDataSource(Map<String, Object> settings) {
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

    /**
     * Returns the sharding of a registry; null if its data source does not route, so that the rest of the
     * integration does nothing.
     */
    public static @Nullable Sharding of(ServiceRegistry registry) {
        return registry.getService(Sharding.class);
    }

    /** The sharding of a session factory whose data source routes. */
    public static Sharding require(SessionFactoryImplementor factory) {
        Sharding sharding = of(factory.getServiceRegistry());
        if (sharding == null) {
            throw new IllegalStateException("The session factory " + factory.getName() + " has no RoutingDataSource.");
        }
        return sharding;
    }

    public Cluster cluster() {
        return dataSource.cluster();
    }

    public RoutingDataSource dataSource() {
        return dataSource;
    }

    public ShardPlacement placement() {
        return placement;
    }

    /** The source of ids that are generated before the insert. */
    IdSource ids(IdStrategy strategy) {
        return switch (strategy) {
            case JVM -> jvmIds();
            case DATABASE, COLUMN_DEFAULT -> databaseIds;
        };
    }

    private synchronized JvmIdSource jvmIds() {
        JvmIdSource source = jvmIds;
        if (source == null) {
            source = new JvmIdSource(dataSource, jvmIdOptions);
            jvmIds = source;
        }
        return source;
    }

    /**
     * Called when the session factory is closed.
     *
     * <p>Leases are returned, so that another process can use their nodes at once.
     */
    @Override
    public void stop() {
        JvmIdSource source = jvmIds;
        if (source != null) {
            source.close();
        }
    }

    public ShardedMappings mappings() {
        return mappings;
    }

    /** Sets the entities whose ids name no shard, as the mappings are set. */
    public void setUnroutableIds(UnroutableIds read) {
        unroutableIds = read;
    }

    /** Returns the entities whose ids name no shard; null if there are none. */
    public @Nullable UnroutableIds unroutableIds() {
        return unroutableIds;
    }

    /** Returns the rows of an entity whose ids name no shard; null for other entities. */
    public UnroutableIds.@Nullable Rows unroutable(@Nullable String entityName) {
        UnroutableIds known = unroutableIds;
        return known == null ? null : known.of(entityName);
    }

    /** The attributes that may refer to sharded rows. */
    public ReferringAttributes referring() {
        return referring;
    }

    /** The references between the rows of a shard; null before the integrator has read them. */
    public @Nullable RowReferences references() {
        return references;
    }

    /** Sets the references between the rows of a shard. */
    public void setReferences(RowReferences read) {
        references = read;
    }

    /**
     * Sets the mappings, when the integrator has read them. Persisters are created later, and keep what they
     * find.
     */
    public void setMappings(ShardedMappings read) {
        referring = new ReferringAttributes(read);
        choosing = read.all().stream()
                .filter(each -> each.key() != null || read.auditTables().isRevision(each.entityName()))
                .map(ShardedMapping::entityName)
                .collect(Collectors.toUnmodifiableSet());
        mappings = read;
    }

    /** Sets what is unique over all shards, as the mappings are set. */
    public void setUniqueKeys(UniqueKeys read) {
        uniqueKeys = read;
        claiming = read.entities();
    }

    /** Returns whether an entity has attributes that are unique over all shards, inherited ones included. */
    boolean claims(String entityName) {
        return claiming.contains(entityName);
    }

    /** Returns whether anything but the scope may decide where a new row of an entity is saved: its shard key, or what it audits. */
    boolean choosesShards(String entityName) {
        return choosing.contains(entityName);
    }

    /** Returns what is unique over all shards. */
    public UniqueKeys uniqueKeys() {
        return uniqueKeys;
    }

    /** Returns the shards of sessions; null if they have none. */
    public @Nullable SessionShards sessionShards() {
        return sessionShards;
    }

    /** Sets the shards of sessions, as the mappings are set. */
    public void setSessionShards(SessionShards read) {
        sessionShards = read;
    }

    /**
     * Returns a session's connection, to which is declared what the transaction is about to write before anything is sent: a second shard is
     * refused then. The connection would refuse it when its first statement is prepared. That is too late for an id, which has been taken by
     * then, and for a batch, whose statement is prepared once for many rows. And the shard of the declared write is where a revision of Envers
     * belongs.
     *
     * <p>It is unwrapped, because a pool or an observation may have wrapped the data source that Hibernate was given. It is bound to no database
     * yet: nothing is sent.
     */
    public static RoutingControl connectionOf(SharedSessionContractImplementor session) {
        try {
            return session.getJdbcCoordinator()
                    .getLogicalConnection()
                    .getPhysicalConnection()
                    .unwrap(RoutingControl.class);
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "The session's connection does not come from the RoutingDataSource that Hibernate was configured"
                            + " with.",
                    e);
        }
    }

    /** Returns where a session's transaction has written, or declared to write; null if it has not. */
    static Target.@Nullable Single writtenBy(SharedSessionContractImplementor session) {
        return session.getJdbcCoordinator().getLogicalConnection().isPhysicallyConnected()
                ? connectionOf(session).declaredWrite()
                : null;
    }

    /** Returns whether the rows of an entity may be in the shard of the session, or of the current request, where no scope says otherwise. */
    public boolean knowsShardOfSession(Class<?> entity) {
        SessionShards known = sessionShards;
        return dataSource.hasRequestKeys() || (known != null && known.haveRows(entity));
    }

    /** Refuses a statement on these tables that would go to the shard of its session, and has rows which may be in any shard. */
    public void checkShardOf(SharedSessionContractImplementor session, Set<String> tables) {
        SessionShards known = sessionShards;
        if (known != null) {
            known.check(session, tables);
        }
    }

    /**
     * Returns where statements of a session go: to the target of the scope, else the shard of its tenant, or of the
     * current request.
     *
     * <p>The order is that of how specific they are: a scope is opened for some calls, a tenant is that of a
     * session, and a request has many sessions. Null if none of them is known; statements of a session are refused
     * then, unless an id or a shard key names their shard.
     */
    public @Nullable Target target(SharedSessionContractImplementor session) {
        Target scope = ShardContext.target();
        SessionShards known = sessionShards;
        if (scope == null && known != null) {
            scope = known.of(session);
        }
        return scope == null && dataSource.hasRequestKeys() ? dataSource.shardOfRequest() : scope;
    }

    /** The shard to which statements of a session go; empty if it is not known, or they go to several shards. */
    public OptionalInt shard(SharedSessionContractImplementor session) {
        return target(session) instanceof Target.Shard shard ? OptionalInt.of(shard.number()) : OptionalInt.empty();
    }
}
