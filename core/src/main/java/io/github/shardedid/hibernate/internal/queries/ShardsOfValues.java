package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.UnknownShardException;
import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Collects the shards of the values that a query requires, without ids that no shard can have generated: they are those of no row. */
final class ShardsOfValues implements Consumer<Object> {
    private static final int NONE = -1;

    private final ShardRule rule;
    private int first = NONE;
    private @Nullable Set<Integer> several;

    ShardsOfValues(ShardRule rule) {
        this.rule = rule;
    }

    @Override
    public void accept(Object value) {
        int shard;
        try {
            shard = rule.shardOf(value);
        } catch (UnknownShardException | MalformedIdException noSuchRow) {
            return;
        }
        if (several != null) {
            several.add(shard);
        } else if (first == NONE) {
            first = shard;
        } else if (shard != first) {
            several = new TreeSet<>(Set.of(first, shard));
        }
    }

    Set<Integer> shards() {
        return several != null ? several : first == NONE ? Set.of() : Set.of(first);
    }

    /** Any shard knows that there are no rows without values, and what the query returns then. */
    Target target() {
        return several != null ? ShardSet.of(several) : Target.shard(first == NONE ? 0 : first);
    }

    /** Passes on the elements of an array or a collection that are not null, or the value itself. */
    static void forEachElement(@Nullable Object value, Consumer<Object> action) {
        if (value instanceof Collection<?> elements) {
            elements.forEach(element -> forEachElement(element, action));
        } else if (value != null && value.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(value); i++) {
                forEachElement(Array.get(value, i), action);
            }
        } else if (value != null) {
            action.accept(value);
        }
    }
}
