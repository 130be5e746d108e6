package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.target.Sharding;
import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.ParameterUse;
import io.github.shardedid.hibernate.ShardKeyException;
import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.Cluster;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.hibernate.Hibernate;
import org.hibernate.HibernateException;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.proxy.HibernateProxy;
import org.jspecify.annotations.Nullable;

/** The rules by the mappings that the integrator has read. */
public final class EntityShardRules implements EntityShards {
    private final Sharding sharding;
    private final SessionFactoryImplementor factory;

    public EntityShardRules(Sharding sharding, SessionFactoryImplementor factory) {
        this.sharding = sharding;
        this.factory = factory;
    }

    @Override
    public Cluster cluster() {
        return sharding.cluster();
    }

    @Override
    public boolean isSharded(Class<?> type) {
        return sharding.mappings().of(type).isPresent();
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
                .orElseThrow(() -> new IllegalArgumentException(entity.getName() + " has no @ShardedId"));
    }

    @Override
    public Optional<ShardRule> byPath(Class<?> entity, String path) {
        return sharding.mappings().of(entity).flatMap(mapping -> byPath(mapping, path));
    }

    private Optional<ShardRule> byPath(ShardedMapping mapping, String path) {
        if (path.equals(mapping.idName())) {
            return Optional.of(byId());
        }
        for (Map.Entry<String, String> parent : mapping.parents().entrySet()) {
            if (path.equals(parent.getKey())) {
                // The guards keep both ends of every association in one shard, so its other end's shard is the row's
                // own.
                return Optional.of(byId());
            }
            ShardedMapping target = sharding.mappings().find(parent.getValue());
            if (target != null && path.startsWith(parent.getKey() + ".")) {
                return byPath(target, path.substring(parent.getKey().length() + 1));
            }
        }
        ShardKeyAttribute key = mapping.key();
        return key != null && key.name().equals(path) ? Optional.of(byKey(key)) : Optional.empty();
    }

    @Override
    public Optional<ShardRule> byKey(Class<?> entity) {
        return sharding.mappings().of(entity).map(ShardedMapping::key).map(this::byKey);
    }

    @Override
    public ShardRule byId() {
        return new ById(this);
    }

    @Override
    public List<ParameterUse> parametersOf(String hql) {
        try {
            return QueryParameters.of(hql, this, factory);
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

    private ShardRule byKey(ShardKeyAttribute key) {
        return key.target() == null ? new ByKey(this, key) : byId();
    }

    private record ById(EntityShardRules rules) implements ShardRule {
        @Override
        public int shardOf(Object value) {
            Object id = value instanceof Number ? value : rules.idOfEntity(value);
            if (id instanceof Number number) {
                return rules.cluster().shardOf(number.longValue());
            }
            throw new ShardKeyException(
                    "No shard can be told by " + Hibernate.getClass(value).getName() + " with the id " + id
                            + ". Pass an id, or an entity that has been saved.");
        }

        @Override
        public boolean accepts(Class<?> type) {
            return ShardKeyAttribute.isWhole(type) || rules.isSharded(type);
        }
    }

    private record ByKey(EntityShardRules rules, ShardKeyAttribute key) implements ShardRule {
        @Override
        public int shardOf(Object value) {
            boolean isEntity = rules.isSharded(value.getClass()) || value instanceof HibernateProxy;
            return isEntity
                    ? rules.byId().shardOf(value)
                    : key.rule(rules.cluster()).shardOf(value);
        }

        @Override
        public boolean accepts(Class<?> type) {
            return key.accepts(type) || rules.isSharded(type);
        }
    }

    @Override
    public int shardOf(Object entity) {
        Object id = idOfEntity(entity);
        if (id instanceof Number number && number.longValue() != 0) {
            return cluster().shardOf(number.longValue());
        }
        OptionalInt byKey = byKeyOf(entity);
        return byKey.orElseGet(() -> ShardContext.current().orElseGet(() -> sharding.placement()
                .shardFor(entity, cluster().map().get())));
    }

    private OptionalInt byKeyOf(Object entity) {
        ShardKeyAttribute key = sharding.mappings()
                .of(Hibernate.getClass(entity))
                .map(ShardedMapping::key)
                .orElse(null);
        if (key == null) {
            return OptionalInt.empty();
        }
        EntityPersister persister = factory.getMappingMetamodel().getEntityDescriptor(Hibernate.getClass(entity));
        Object value = persister.getPropertyValue(entity, key.name());
        if (key.isUnset(value)) {
            if (key.begins()) {
                return OptionalInt.empty();
            }
            throw new ShardKeyException("The shard of a new " + persister.getEntityName()
                    + " cannot be told: its shard key " + key + " is " + value + ".");
        }
        Objects.requireNonNull(value);
        if (key.kind() != ShardKeyAttribute.Kind.PARENT) {
            return OptionalInt.of(key.rule(cluster()).shardOf(value));
        }
        Object parent = idOfEntity(value);
        return parent instanceof Number number && number.longValue() != 0
                ? OptionalInt.of(cluster().shardOf(number.longValue()))
                : OptionalInt.of(byKeyOf(value)
                        .orElseThrow(() -> new ShardKeyException("The parent in the shard key " + key + " of a new "
                                + persister.getEntityName() + " has no id yet. Save the parent first.")));
    }

    private @Nullable Object idOfEntity(Object entity) {
        return factory.getPersistenceUnitUtil().getIdentifier(entity);
    }
}
