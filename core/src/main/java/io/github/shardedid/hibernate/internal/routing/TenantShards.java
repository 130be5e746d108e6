package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import java.io.Serializable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.hibernate.context.spi.TenantSchemaMapper;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * The shards of tenants, whose id is a shard key. A session of Hibernate names the schema of its tenant to each connection that it obtains,
 * which is how the connection knows the shard of what has no scope of its own. Safe for use by several threads.
 *
 * <p>With discriminator-based tenants, all rows of a tenant may be in one shard, if {@code @TenantId} is also the
 * shard key. Then queries without a key need no scope in a session of the tenant. Hibernate sees a schema per
 * tenant, whose name is a placeholder with the number of the shard: so nothing is sent to the server, and the
 * connection knows where the session belongs. Two guards keep this from guessing:
 *
 * <ol>
 *   <li>If entities disagree about the kind of the key, a tenant has no shard.
 *   <li>Statements on entities whose rows may be in any shard, by keys other than the tenant, are refused without a
 *       scope.
 * </ol>
 */
public final class TenantShards implements TenantSchemaMapper<Object> {
    /**
     * The sharding of the session factory; null, like the other fields, until the mappings have been read, since
     * Hibernate creates its options before that.
     */
    private volatile @Nullable Sharding sharding;

    private volatile @Nullable ShardRule rule;
    private volatile @Nullable CurrentTenantIdentifierResolver<Object> tenants;
    /** By the tables of entities whose rows may be in any shard, whoever the tenant is: the shard key, for messages. */
    private volatile @Nullable Map<String, ShardKeyAttribute> others;

    /** Null if the application says by a mapper of its own what the schemas of tenants are. */
    public static @Nullable TenantShards of(SessionFactoryImplementor factory) {
        return factory.getSessionFactoryOptions().getTenantSchemaMapper() instanceof TenantShards own ? own : null;
    }

    /** The shard of a session's tenant; null if it has none. */
    static Target.@Nullable Single of(SharedSessionContractImplementor session) {
        TenantShards own = of(session.getFactory());
        Object tenant = session.getTenantIdentifierValue();
        return own == null || tenant == null ? null : own.shardOf(tenant);
    }

    /** From now on, tenants have the shards that the mappings say; none if entities disagree about them. */
    public void read(Sharding mapped, SessionFactoryImplementor factory) {
        List<ShardKeyAttribute> keys = mapped.mappings().all().stream()
                .flatMap(mapping -> Stream.ofNullable(mapping.key()))
                .filter(ShardKeyAttribute::tenant)
                .toList();
        // A tenant 17 would be in one shard as a number, and in another one as a text.
        boolean agree = keys.stream().map(ShardKeyAttribute::kind).distinct().count() == 1;
        sharding = mapped;
        tenants = factory.getCurrentTenantIdentifierResolver();
        rule = agree ? keys.get(0).rule(mapped.cluster()) : null;
    }

    /** Returns whether the id of any tenant names the shard of rows of an entity. */
    boolean haveShards(Class<?> entity) {
        Sharding mapped = sharding;
        return rule != null
                && mapped != null
                && mapped.mappings()
                        .of(entity)
                        .map(mapping -> other(mapped.mappings(), mapping) == null)
                        .orElse(true);
    }

    /** The shard key by which rows may be in any shard, whoever the tenant is; null if they are in that of their tenant. */
    private static @Nullable ShardKeyAttribute other(ShardedMappings mappings, ShardedMapping entity) {
        Set<String> seen = new HashSet<>();
        ShardedMapping at = entity;
        while (at != null && seen.add(at.entityName())) {
            ShardKeyAttribute key = at.key();
            if (key == null || key.tenant()) {
                return null;
            } else if (key.target() == null) {
                return key;
            }
            at = mappings.find(key.target());
        }
        return null;
    }

    /**
     * Refuses a statement that is about to go to the shard of the session's tenant, and has rows which may be in any shard.
     *
     * <p>It looks at the tables, since a query may have rows of several entities.
     *
     * @throws NoShardException if it has such rows
     */
    public static void check(SharedSessionContractImplementor session, Set<String> tables) {
        TenantShards own = of(session.getFactory());
        Object tenant = session.getTenantIdentifierValue();
        if (own != null && tenant != null && ShardContext.target() == null && own.shardOf(tenant) != null) {
            Map<String, ShardKeyAttribute> others = own.others(session.getFactory());
            tables.stream().filter(others::containsKey).findFirst().ifPresent(table -> {
                throw new NoShardException(
                        "The session's tenant does not name the shard of rows of " + table
                                + ": their shard key " + others.get(table)
                                + " is not the tenant, so they may be in any shard. Compare the"
                                + " shard key or an id with a value, or call this in ShardContext.run(shard, …). Nothing was sent.");
            });
        }
    }

    /**
     * Returns the shard keys of entities whose rows may be in any shard, by table. Read with the first
     * statement, because the runtime model, which has the tables, is complete only then.
     */
    private Map<String, ShardKeyAttribute> others(SessionFactoryImplementor factory) {
        Map<String, ShardKeyAttribute> known = others;
        if (known == null) {
            Map<String, ShardKeyAttribute> read = new HashMap<>();
            ShardedMappings mappings = Sharding.require(factory).mappings();
            for (ShardedMapping mapping : mappings.all()) {
                ShardKeyAttribute other = other(mappings, mapping);
                if (other != null) {
                    for (Serializable table : factory.getMappingMetamodel()
                            .getEntityDescriptor(mapping.entityName())
                            .getQuerySpaces()) {
                        read.put(table.toString(), other);
                    }
                }
            }
            known = Map.copyOf(read);
            others = known;
        }
        return known;
    }

    /** Null for the root tenant, and for a value that no tenant can have. */
    private Target.@Nullable Single shardOf(Object tenant) {
        ShardRule known = rule;
        CurrentTenantIdentifierResolver<Object> resolver = tenants;
        if (known == null || (resolver != null && resolver.isRoot(tenant))) {
            return null;
        }
        try {
            return Target.shard(known.shardOf(tenant));
        } catch (ShardedIdException noTenant) {
            return null; // what has no scope is refused
        }
    }

    /**
     * Returns a placeholder with the number of the tenant's shard, or without one if the tenant has no shard:
     * what has no scope is refused then.
     */
    @Override
    public String schemaName(Object tenant) {
        return RoutingDataSource.TENANT_PLACEHOLDER
                + (shardOf(tenant) instanceof Target.Shard shard ? shard.number() : "");
    }
}
