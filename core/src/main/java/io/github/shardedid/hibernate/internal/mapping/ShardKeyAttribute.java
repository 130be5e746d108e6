package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.ShardKeys;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The attribute of an entity that determines the shard of a new row. Immutable.
 *
 * <p>The rule from a value to a shard is part of the data: rows are where it put them. It must never change for a
 * kind.
 *
 * @param entity the entity's name, for messages
 * @param name the attribute's name; {@code address.tenant} within an embeddable
 * @param kind how its value determines the shard
 * @param target the name of the sharded entity that the value refers to; null for kinds without one
 * @param type the attribute's type; the wrapper of a primitive
 * @param nullable whether the attribute may be null in a row
 * @param begins whether a row without a value is the root of a tree, and gets its shard like a row without a shard key
 * @param tenant whether Hibernate sets it to the id of the session's tenant when it inserts the row
 */
public record ShardKeyAttribute(
        String entity,
        String name,
        Kind kind,
        @Nullable String target,
        Class<?> type,
        boolean nullable,
        boolean begins,
        boolean tenant) {
    /** Says how a value determines the shard. */
    public enum Kind {
        /** A to-one association: the parent's shard. */
        PARENT,
        /** The id of another sharded entity. */
        REFERENCE,
        /** A whole number, modulo the shards that the cluster was created with. */
        NUMBER,
        /** A text or UUID, by its hash. */
        TEXT
    }

    /** The same attribute, null in the root of a tree. */
    ShardKeyAttribute beginning() {
        return new ShardKeyAttribute(entity, name, kind, target, type, nullable, true, tenant);
    }

    /** The same parent as a part of an id, which contains the parent's id. */
    ShardKeyAttribute asReference(String path) {
        return new ShardKeyAttribute(entity, path, Kind.REFERENCE, target, type, false, false, tenant);
    }

    /** Returns whether the value of a new row is missing: null or, for an id, 0. */
    public boolean isUnset(@Nullable Object value) {
        return value == null || (kind == Kind.REFERENCE && value instanceof Number number && number.longValue() == 0);
    }

    /** Returns whether values of a type other than an entity determine the shard. */
    public boolean accepts(Class<?> values) {
        return kind == Kind.TEXT ? values == type : isWhole(values);
    }

    /** Returns whether values of a type are whole numbers of at most 64 bits. */
    public static boolean isWhole(Class<?> type) {
        return type == Long.class
                || type == long.class
                || type == Integer.class
                || type == int.class
                || type == Short.class
                || type == short.class
                || type == Byte.class
                || type == byte.class;
    }

    /**
     * Returns how a value other than an entity determines the shard.
     *
     * <p>The rule throws a {@code NoShardException} for a value of another type: a number and its text are in two
     * shards.
     */
    public ShardRule rule(Cluster cluster) {
        return value -> {
            if (!accepts(value.getClass())) {
                throw NoShardException.ofValue("A value of type "
                        + value.getClass().getName() + " does not determine a shard by the shard key " + this
                        + ", which is of type " + type.getName() + ". Pass a value of the attribute's type.");
            }
            if (value instanceof Number number) {
                return kind == Kind.NUMBER
                        ? ShardKeys.shardOf(number.longValue(), cluster.keyShards())
                        : cluster.shardOf(number.longValue());
            }
            return value instanceof UUID uuid
                    ? ShardKeys.shardOf(uuid, cluster.keyShards())
                    : ShardKeys.shardOf((String) value, cluster.keyShards());
        };
    }

    @Override
    public String toString() {
        return entity + "." + name;
    }
}
