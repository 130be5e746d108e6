package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.routing.ShardContext;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The target of a row: the shard that its id names, or the global database. Immutable. */
public sealed interface RowTarget {
    /** The target of all rows of global entities. */
    RowTarget GLOBAL = new Global();

    /** The target of a row; null for a row of a sharded entity that has no id yet. */
    static @Nullable RowTarget of(Sharding sharding, @Nullable String entityName, @Nullable Object id) {
        if (sharding.mappings().isGlobal(entityName)) {
            return GLOBAL;
        }
        return id instanceof Number number && sharding.mappings().find(entityName) != null
                ? new OneShard(sharding.cluster().shardOf(number.longValue()))
                : null;
    }

    /** A row as messages name it. */
    static String row(String entityName, @Nullable Object id) {
        return entityName + "#" + id;
    }

    /** Does the work in the scope of this target. */
    <T extends @Nullable Object> T call(Supplier<T> work);

    /** A logical shard. */
    record OneShard(int shard) implements RowTarget {
        @Override
        public <T extends @Nullable Object> T call(Supplier<T> work) {
            return ShardContext.call(shard, work);
        }

        @Override
        public String toString() {
            return "shard " + shard;
        }
    }

    /** The global database. */
    record Global() implements RowTarget {
        @Override
        public <T extends @Nullable Object> T call(Supplier<T> work) {
            return ShardContext.callGlobal(work);
        }

        @Override
        public String toString() {
            return "the global database";
        }
    }
}
