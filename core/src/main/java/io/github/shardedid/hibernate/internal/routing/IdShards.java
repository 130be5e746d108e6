package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.hibernate.internal.mapping.IdPart;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import org.jspecify.annotations.Nullable;

/**
 * The shards that the ids of rows name: by their own bits, or by those of one part of a composite id. {@link RowShards} knows those of
 * rows whose ids name none.
 */
public final class IdShards {
    private IdShards() {}

    /**
     * The shard that an id names; null if the entity is not sharded, or the id is incomplete.
     *
     * @throws io.github.shardedid.topology.UnknownShardException if the cluster has no such shard
     */
    public static @Nullable Integer shardOf(Sharding sharding, @Nullable String entityName, @Nullable Object id) {
        Found found = find(sharding, entityName, id);
        if (found == null) {
            return null;
        }
        return found.part == null
                ? found.value instanceof Number number
                        ? (Integer) sharding.cluster().shardOf(number.longValue())
                        : null
                : (Integer) found.part.key().rule(sharding.cluster()).shardOf(found.value);
    }

    /** Whether no shard of this cluster can have generated an id, or it is that of a parent which was not found. */
    static boolean cannotExist(Sharding sharding, String entityName, Object id) {
        Found found = find(sharding, entityName, id);
        if (found == null) {
            ShardedMapping mapping = sharding.mappings().find(entityName);
            IdPart part = mapping == null ? null : mapping.idPart();
            return part != null && part.whole() && part.of(id) == null;
        }
        return found.part == null
                && found.value instanceof Number number
                && !sharding.cluster().canHaveMade(number.longValue());
    }

    /**
     * What decides the shard.
     *
     * @param part null if the value is an id of the layout, whose bits decide
     */
    private record Found(@Nullable IdPart part, Object value) {}

    private static @Nullable Found find(Sharding sharding, @Nullable String entityName, @Nullable Object id) {
        ShardedMapping mapping = sharding.mappings().find(entityName);
        Object value = id;
        while (mapping != null && mapping.idNamesShard() && value != null) {
            IdPart part = mapping.idPart();
            if (part == null) {
                return new Found(null, value);
            }
            value = part.of(value);
            String target = part.key().target();
            if (target == null) {
                return value == null ? null : new Found(part, value);
            }
            mapping = sharding.mappings().find(target);
        }
        return null;
    }
}
