package io.github.shardedid.hibernate.internal.tenants;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.hibernate.internal.routing.SessionShards;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import java.util.Arrays;
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
public final class TenantShards implements SessionShards {
    private final SessionFactoryImplementor factory;
    private final ShardedMappings mappings;
    private final ShardRule rule;
    private final @Nullable CurrentTenantIdentifierResolver<Object> resolver;
    /** By the tables of entities whose rows may be in any shard, whoever the tenant is: the shard key, for messages. Null until it is read. */
    private volatile @Nullable Map<String, ShardKeyAttribute> others;

    private TenantShards(SessionFactoryImplementor factory, ShardedMappings mappings, ShardRule rule) {
        this.factory = factory;
        this.mappings = mappings;
        this.rule = rule;
        this.resolver = factory.getCurrentTenantIdentifierResolver();
    }

    /**
     * The schemas of tenants, as Hibernate sees them: a placeholder with the number of the tenant's shard, or without one if the tenant has
     * no shard. What has no scope is refused then. Hibernate creates its options before the mappings are read.
     */
    public static final class Schemas implements TenantSchemaMapper<Object> {
        private volatile @Nullable TenantShards shards;

        @Override
        public String schemaName(Object tenant) {
            TenantShards known = shards;
            return RoutingDataSource.TENANT_PLACEHOLDER
                    + (known != null && known.shardOf(tenant) instanceof Target.Shard shard ? shard.number() : "");
        }
    }

    /**
     * From now on, tenants have the shards that the mappings say; none if entities disagree about them, or the application says by a mapper
     * of its own what their schemas are.
     */
    public static void read(Sharding sharding, SessionFactoryImplementor factory) {
        List<ShardKeyAttribute> keys = sharding.mappings().all().stream()
                .flatMap(mapping -> Stream.ofNullable(mapping.key()))
                .filter(ShardKeyAttribute::tenant)
                .toList();
        // A tenant 17 would be in one shard as a number, and in another one as a text.
        if (keys.stream().map(ShardKeyAttribute::kind).distinct().count() == 1
                && factory.getSessionFactoryOptions().getTenantSchemaMapper() instanceof Schemas schemas) {
            TenantShards shards =
                    new TenantShards(factory, sharding.mappings(), keys.get(0).rule(sharding.cluster()));
            schemas.shards = shards;
            sharding.setSessionShards(shards);
        }
    }

    @Override
    public Target.@Nullable Single of(SharedSessionContractImplementor session) {
        Object tenant = session.getTenantIdentifierValue();
        return tenant == null ? null : shardOf(tenant);
    }

    @Override
    public boolean haveRows(Class<?> entity) {
        return mappings.of(entity).map(mapping -> other(mapping) == null).orElse(true);
    }

    /** The shard key by which rows may be in any shard, whoever the tenant is; null if they are in that of their tenant. */
    private @Nullable ShardKeyAttribute other(ShardedMapping entity) {
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

    @Override
    public void check(SharedSessionContractImplementor session, Set<String> tables) {
        if (ShardContext.target() == null && of(session) != null) {
            Map<String, ShardKeyAttribute> keys = others();
            tables.stream().filter(keys::containsKey).findFirst().ifPresent(table -> {
                throw new NoShardException(
                        "The session's tenant does not name the shard of rows of " + table
                                + ": their shard key " + keys.get(table)
                                + " is not the tenant, so they may be in any shard. Compare the"
                                + " shard key or an id with a value, or call this in ShardContext.run(shard, …). Nothing was sent.");
            });
        }
    }

    /**
     * Returns the shard keys of entities whose rows may be in any shard, by table. Read with the first
     * statement, because the runtime model, which has the tables, is complete only then.
     */
    private Map<String, ShardKeyAttribute> others() {
        Map<String, ShardKeyAttribute> known = others;
        if (known == null) {
            Map<String, ShardKeyAttribute> read = new HashMap<>();
            mappings.all().forEach(mapping -> Arrays.stream(factory.getMappingMetamodel()
                            .getEntityDescriptor(mapping.entityName())
                            .getQuerySpaces())
                    .forEach(table -> read.computeIfAbsent(table.toString(), none -> other(mapping))));
            known = Map.copyOf(read);
            others = known;
        }
        return known;
    }

    /** Null for the root tenant, and for a value that no tenant can have. */
    private Target.@Nullable Single shardOf(Object tenant) {
        if (resolver != null && resolver.isRoot(tenant)) {
            return null;
        }
        try {
            return Target.shard(rule.shardOf(tenant));
        } catch (ShardedIdException noTenant) {
            return null; // what has no scope is refused
        }
    }
}
