package io.github.shardedid.hibernate.internal.mapping;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The mapping of a sharded entity. Immutable.
 *
 * <p>All that routing knows of an entity, so that nothing after the start needs the boot model, which Hibernate
 * drops.
 *
 * @param entityName the entity's name in Hibernate
 * @param javaClass its class
 * @param idName the attribute with {@code @ShardedId}, or with the id that is shared with another sharded entity; empty
 *     for an {@code @IdClass}
 * @param table the hierarchy's root table, as Hibernate names it
 * @param sequence the sequence of the ids; empty if they have none of their own
 * @param key the attribute with {@code @ShardKey}, or null
 * @param idPart the part of a composite id that names the shard; null if the id as a whole does
 * @param ownId how far the id is unique if it names no shard, so that the shard key alone determines it; else null
 * @param parents the to-one associations to sharded entities, also within embeddables: path → entity name
 * @param foreign the to-one associations with {@code @ForeignShard}, also within embeddables: path → entity name
 */
public record ShardedMapping(
        String entityName,
        Class<?> javaClass,
        String idName,
        String table,
        String sequence,
        @Nullable ShardKeyAttribute key,
        @Nullable IdPart idPart,
        @Nullable Uniqueness ownId,
        Map<String, String> parents,
        Map<String, String> foreign) {
    /** How far an id that names no shard is unique. */
    public enum Uniqueness {
        /** In all shards: a UUID. */
        CLUSTER,
        /** In its shard: rows of two shards may have the same id. */
        SHARD
    }

    ShardedMapping withKey(ShardKeyAttribute other) {
        return new ShardedMapping(
                entityName, javaClass, idName, table, sequence, other, idPart, ownId, parents, foreign);
    }

    /** Returns whether the id, or a part of it, names the shard of its row. */
    public boolean idNamesShard() {
        return ownId == null;
    }

    /**
     * Returns the key to check of a row that is written; null if there is none, if it is a part of the id, which then decides, or if it
     * is an association, which is checked as a reference.
     */
    public @Nullable ShardKeyAttribute checkedKey() {
        boolean reference = key != null && key.kind() == ShardKeyAttribute.Kind.PARENT && idNamesShard();
        return reference || isKeyInId() ? null : key;
    }

    /** Returns whether the shard key is a part of the id, so that both always name the same shard. */
    public boolean isKeyInId() {
        return idPart != null && idPart.key().equals(key);
    }
}
