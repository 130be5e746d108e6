package io.github.shardedid.hibernate.internal.mapping;

import java.util.List;
import org.hibernate.property.access.spi.Getter;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.proxy.LazyInitializer;
import org.jspecify.annotations.Nullable;

/**
 * The part of a composite id that names the shard of the row. Immutable.
 *
 * <p>Ids with such a part are those of join entities and of tables whose rows belong to another one: they need no
 * number of their own to name a shard.
 *
 * @param key the part as a shard key; its name is the path in queries, {@code id.photo} or, with an {@code @IdClass},
 *     {@code photo}
 * @param idClass the class of the ids
 * @param getter reads the part from an id
 * @param targetId reads the id of an entity, if the part is an association; else null
 * @param columns the positions of the part's columns among the columns of the id
 */
@SuppressWarnings("removal") // Hibernate 7.4 has no other way to read an attribute
public record IdPart(
        ShardKeyAttribute key, Class<?> idClass, Getter getter, @Nullable Getter targetId, List<Integer> columns) {
    /** The part of an id: a value, or the id of an entity that the part refers to, which is not loaded. Null if there is none yet. */
    public @Nullable Object of(Object id) {
        Object value = getter.get(id);
        LazyInitializer proxy = HibernateProxy.extractLazyInitializer(value);
        if (proxy != null) {
            return proxy.getInternalIdentifier();
        }
        return value == null
                        || targetId == null
                        || !targetId.getMember().getDeclaringClass().isInstance(value)
                ? value
                : targetId.get(value);
    }
}
