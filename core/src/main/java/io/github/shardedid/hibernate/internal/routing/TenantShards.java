package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.Target;
import java.util.List;
import java.util.stream.Stream;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.hibernate.context.spi.TenantSchemaMapper;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.jspecify.annotations.Nullable;

/**
 * The shards of tenants, whose id is a shard key. A session of Hibernate names the schema of its tenant to each connection that it obtains,
 * which is how the connection knows the shard of what has no scope of its own. Safe for use by several threads.
 */
public final class TenantShards implements TenantSchemaMapper<Object> {
    private volatile @Nullable ShardRule rule;
    private volatile @Nullable CurrentTenantIdentifierResolver<Object> tenants;

    /** From now on, tenants have the shards that the mappings say; none if entities disagree about them. */
    public void read(Sharding sharding, SessionFactoryImplementor factory) {
        List<ShardKeyAttribute> keys = sharding.mappings().all().stream()
                .flatMap(mapping -> Stream.ofNullable(mapping.key()))
                .filter(ShardKeyAttribute::tenant)
                .toList();
        boolean agree = keys.stream().map(ShardKeyAttribute::kind).distinct().count() == 1;
        tenants = factory.getCurrentTenantIdentifierResolver();
        rule = agree ? keys.get(0).rule(sharding.cluster()) : null;
    }

    /** Whether the id of any tenant names a shard. */
    boolean haveShards() {
        return rule != null;
    }

    /** Null for the root tenant, and for a value that no tenant can have. */
    Target.@Nullable Single shardOf(Object tenant) {
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

    @Override
    public String schemaName(Object tenant) {
        return RoutingDataSource.TENANT_PLACEHOLDER
                + (shardOf(tenant) instanceof Target.Shard shard ? shard.number() : "");
    }
}
