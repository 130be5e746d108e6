package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.routing.Target;
import org.jspecify.annotations.Nullable;

/** The targets of rows: the shard that the id of a row names, or the global database. */
public final class RowTargets {
    private RowTargets() {}

    /** The target of a row; null for a row of a sharded entity that has no id yet. */
    public static Target.@Nullable Single of(Sharding sharding, @Nullable String entityName, @Nullable Object id) {
        if (sharding.mappings().isGlobal(entityName)) {
            return Target.global();
        }
        Integer shard = IdShards.shardOf(sharding, entityName, id);
        return shard == null ? null : Target.shard(shard);
    }

    /** A row as messages name it. */
    public static String row(String entityName, @Nullable Object id) {
        return entityName + "#" + id;
    }
}
