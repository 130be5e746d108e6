package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.mapping.IdPart;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.routing.RowTargets;
import io.github.shardedid.hibernate.internal.routing.UnroutableIds;
import io.github.shardedid.routing.NoShardException;
import java.math.BigDecimal;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.proxy.HibernateProxy;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which values of the ids and shard keys of entities determine a shard.
 *
 * <p>A rule refers to the mappings and the cluster, but to no session: rules are kept with translated statements,
 * for all sessions. What only a session knows is added for one execution, by {@link #in}.
 */
final class EntityRules {
    private EntityRules() {}

    /**
     * Returns whether two rules determine the same shard for values that are equal in the database. Ids are alike, also those that are the id of
     * another row; shard keys are if they are of one kind, whatever attributes they are.
     */
    static boolean areAlike(ShardRule one, ShardRule other) {
        // Numbers and text hash differently, so keys of two kinds with equal values may be in two shards. The same
        // holds for an id and a key.
        return one.equals(other)
                || (one instanceof ById && other instanceof ById)
                || (one instanceof ByKey key && other instanceof ByKey like && key.key.kind() == like.key.kind());
    }

    /**
     * The id that a value is to the database, perhaps by a cast; null if that is not certain. Floating point is
     * refused: the database compares it as {@code double precision}, in which several ids are equal.
     */
    static @Nullable Long id(Object value) {
        try {
            return value instanceof Long id
                    ? id
                    : value instanceof Double || value instanceof Float
                            ? null
                            : Long.valueOf(new BigDecimal(value.toString().strip()).longValueExact());
        } catch (ArithmeticException | NumberFormatException none) {
            return null;
        }
    }

    /**
     * A rule that also knows the rows of a session whose ids name no shard. The shard of such a row may be known
     * from nothing but its having been read by this session.
     */
    static ShardRule in(SharedSessionContractImplementor session, ShardRule rule) {
        return rule instanceof UnroutableIds.SessionRule known ? known.in(session) : rule;
    }

    /**
     * The rule of an entity whose id is a number of the layout: its bits name the shard. The value is the id, an
     * entity, or a text that the database casts.
     */
    record ById(EntityShardRules rules) implements ShardRule {
        @Override
        public int shardOf(Object value) {
            if (value instanceof Number || value instanceof String) {
                Long id = EntityRules.id(value);
                if (id == null) {
                    throw NoShardException.ofValue("The value " + value
                            + ", which the database casts to an id, names no shard: it is no whole number. Pass the id."
                            + " Nothing was sent.");
                }
                return rules.cluster().shardOf(id);
            }
            return rules.ofSaved(value);
        }

        @Override
        public boolean accepts(Class<?> type) {
            return ShardKeyAttribute.isWhole(type) || rules.isSharded(type);
        }
    }

    /**
     * The rule of an entity of whose composite id one part names the shard. The value is an object of the id's
     * class, or an entity.
     */
    record ByCompositeId(EntityShardRules rules, String entityName, IdPart part) implements ShardRule {
        @Override
        public int shardOf(Object value) {
            if (!part.idClass().isInstance(value)) {
                return rules.byId().shardOf(value);
            }
            Integer shard = RowTargets.shardOf(rules.sharding(), entityName, value);
            if (shard == null) {
                throw NoShardException.ofValue("The id " + value + " of " + entityName
                        + " names no shard: the part that determines it is null. Set it. Nothing was sent.");
            }
            return shard;
        }

        @Override
        public boolean accepts(Class<?> type) {
            return part.idClass().isAssignableFrom(type) || rules.isSharded(type);
        }
    }

    /**
     * The rule of a shard key that is a number, a text or a reference by a plain id. A parameter may also be the
     * entity that the key refers to, or a lazy reference to it, whose id is used without loading it.
     */
    record ByKey(EntityShardRules rules, ShardKeyAttribute key) implements ShardRule {
        @Override
        public int shardOf(Object value) {
            // A proxy's class is generated, and is not a class of the mappings.
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
}
