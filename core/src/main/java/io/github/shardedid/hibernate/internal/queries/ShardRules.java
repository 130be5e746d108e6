package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardKeyException;
import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.topology.Cluster;
import jakarta.persistence.PersistenceUnitUtil;
import java.util.Map;
import java.util.Optional;
import org.hibernate.Hibernate;
import org.hibernate.proxy.HibernateProxy;

/** The rules by which ids, shard keys and entities determine a shard. */
record ShardRules(Cluster cluster, ShardedMappings mappings, PersistenceUnitUtil entities) {
    boolean isSharded(Class<?> type) {
        return mappings.of(type).isPresent();
    }

    Optional<ShardRule> byPath(Class<?> entity, String path) {
        return mappings.of(entity).flatMap(mapping -> byPath(mapping, path));
    }

    private Optional<ShardRule> byPath(ShardedMapping mapping, String path) {
        if (path.equals(mapping.idName())) {
            return Optional.of(byId());
        }
        for (Map.Entry<String, String> parent : mapping.parents().entrySet()) {
            if (path.equals(parent.getKey())) {
                // The guards keep both ends of an association in one shard.
                return Optional.of(byId());
            }
            ShardedMapping target = mappings.find(parent.getValue());
            if (target != null && path.startsWith(parent.getKey() + ".")) {
                return byPath(target, path.substring(parent.getKey().length() + 1));
            }
        }
        ShardKeyAttribute key = mapping.key();
        return key != null && key.name().equals(path) ? Optional.of(byKey(key)) : Optional.empty();
    }

    Optional<ShardRule> byKey(Class<?> entity) {
        return mappings.of(entity).map(ShardedMapping::key).map(this::byKey);
    }

    private ShardRule byKey(ShardKeyAttribute key) {
        return key.target() == null ? new ByKey(this, key) : byId();
    }

    ShardRule byId() {
        return new ById(this);
    }

    private record ById(ShardRules rules) implements ShardRule {
        @Override
        public int shardOf(Object value) {
            Object id = value instanceof Number ? value : rules.entities.getIdentifier(value);
            if (id instanceof Number number) {
                return rules.cluster.shardOf(number.longValue());
            }
            throw new ShardKeyException("No shard is known for a "
                    + Hibernate.getClass(value).getName() + " with the id " + id
                    + ". Pass an id, or an entity that has been saved.");
        }

        @Override
        public boolean accepts(Class<?> type) {
            return ShardKeyAttribute.isWhole(type) || rules.isSharded(type);
        }
    }

    private record ByKey(ShardRules rules, ShardKeyAttribute key) implements ShardRule {
        @Override
        public int shardOf(Object value) {
            boolean isEntity = rules.isSharded(value.getClass()) || value instanceof HibernateProxy;
            return isEntity
                    ? rules.byId().shardOf(value)
                    : key.rule(rules.cluster).shardOf(value);
        }

        @Override
        public boolean accepts(Class<?> type) {
            return key.accepts(type) || rules.isSharded(type);
        }
    }
}
