package io.github.shardedid.hibernate.internal;

import io.github.shardedid.hibernate.ShardKeyException;
import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.ShardKeys;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The attribute of an entity that decides a new row's shard.
 *
 * @param entity the entity's name, for messages
 * @param name the attribute's name; {@code place.tenant} for one within an embeddable
 * @param kind how its value decides
 * @param target the name of the sharded entity that the value is, or whose id it is; null for the other kinds
 */
record ShardKeyAttribute(String entity, String name, Kind kind, @Nullable String target) {
    enum Kind {
        /** A to-one association: the parent's shard. */
        PARENT,
        /** The id of another sharded entity. */
        REFERENCE,
        /** A whole number, modulo the shards. */
        NUMBER,
        /** A text or UUID, by its hash. */
        TEXT
    }

    /** How a value of this attribute tells the shard; entities are the caller's business. */
    ShardRule rule(Cluster cluster) {
        return value -> {
            if (value instanceof Number number && !(value instanceof Double || value instanceof Float)) {
                return kind == Kind.PARENT || kind == Kind.REFERENCE
                        ? cluster.shardOf(number.longValue())
                        : ShardKeys.shardOf(number.longValue(), cluster.shardCount());
            }
            if (kind == Kind.TEXT && value instanceof String text) {
                return ShardKeys.shardOf(text, cluster.shardCount());
            }
            if (kind == Kind.TEXT && value instanceof UUID uuid) {
                return ShardKeys.shardOf(uuid, cluster.shardCount());
            }
            throw new ShardKeyException(
                    "A value of type " + value.getClass().getName() + " does not tell a shard by the" + " shard key "
                            + this + ". Pass a value of the attribute's type.");
        };
    }

    @Override
    public String toString() {
        return entity + "." + name;
    }
}
