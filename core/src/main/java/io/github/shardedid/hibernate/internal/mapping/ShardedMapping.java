package io.github.shardedid.hibernate.internal.mapping;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The mapping of a sharded entity. Immutable.
 *
 * @param entityName the entity's name in Hibernate
 * @param javaClass its class
 * @param idName the attribute with {@code @ShardedId}, or with the id that is shared with another sharded entity
 * @param table the hierarchy's root table, as Hibernate names it
 * @param sequence the sequence of the ids; empty if they are shared with another entity
 * @param key the attribute with {@code @ShardKey}, or null
 * @param parents the to-one associations to sharded entities, also within embeddables: path → entity name
 * @param foreign the attributes with {@code @ForeignShard}, also within embeddables: path → entity name, empty for a
 *     collection
 */
public record ShardedMapping(
        String entityName,
        Class<?> javaClass,
        String idName,
        String table,
        String sequence,
        @Nullable ShardKeyAttribute key,
        Map<String, String> parents,
        Map<String, String> foreign) {
    ShardedMapping withKey(ShardKeyAttribute other) {
        return new ShardedMapping(entityName, javaClass, idName, table, sequence, other, parents, foreign);
    }
}
