package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.ParameterUse;
import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.routing.ShardChoice;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.topology.Cluster;
import java.util.List;
import java.util.Optional;
import org.hibernate.HibernateException;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/** The shards of a session factory's entities, by the mappings that the integrator has read. */
public final class EntityShardRules implements EntityShards {
    private final Sharding sharding;
    private final SessionFactoryImplementor factory;
    private final ShardRules rules;

    public EntityShardRules(Sharding sharding, SessionFactoryImplementor factory) {
        this.sharding = sharding;
        this.factory = factory;
        this.rules = new ShardRules(sharding.cluster(), sharding.mappings(), factory.getPersistenceUnitUtil());
    }

    @Override
    public Cluster cluster() {
        return sharding.cluster();
    }

    @Override
    public boolean isSharded(Class<?> type) {
        return rules.isSharded(type);
    }

    @Override
    public boolean isGlobal(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (sharding.mappings().isGlobal(at.getName())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String idOf(Class<?> entity) {
        return sharding.mappings()
                .of(entity)
                .map(ShardedMapping::idName)
                .orElseThrow(() -> new IllegalArgumentException(entity.getName() + " has no @ShardedId."));
    }

    @Override
    public Optional<ShardRule> byPath(Class<?> entity, String path) {
        return rules.byPath(entity, path);
    }

    @Override
    public Optional<ShardRule> byKey(Class<?> entity) {
        return rules.byKey(entity);
    }

    @Override
    public ShardRule byId() {
        return rules.byId();
    }

    @Override
    public List<ParameterUse> parametersOf(String hql) {
        try {
            return QueryParameters.of(hql, rules, factory);
        } catch (HibernateException e) {
            throw new IllegalArgumentException("The query cannot be read: " + hql, e);
        }
    }

    @Override
    public List<ParameterUse> parametersOfNative(Class<?> entity, String sql) {
        return new NativeParameters(
                        factory.getMappingMetamodel().getEntityDescriptor(entity),
                        byId(),
                        sharding.mappings().of(entity).map(ShardedMapping::key).orElse(null),
                        byKey(entity).orElse(null))
                .of(sql);
    }

    @Override
    public int shardOf(Object entity) {
        return ShardChoice.shardOf(sharding, entity, factory);
    }
}
