package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.topology.UnknownShardException;
import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Collects the shards of values. */
final class ShardsOfValues {
    private static final int NONE = -1;

    private final boolean strict;
    private int first = NONE;
    private @Nullable Set<Integer> several;

    /**
     * Without shards.
     *
     * @param strict whether an id that no shard can have generated is an error; else it is that of no row
     */
    ShardsOfValues(boolean strict) {
        this.strict = strict;
    }

    /** Adds the shards of values by a rule. */
    Consumer<Object> by(ShardRule rule) {
        return value -> {
            try {
                add(rule.shardOf(value));
            } catch (UnknownShardException | MalformedIdException noSuchRow) {
                if (strict) {
                    throw noSuchRow;
                }
            }
        };
    }

    private void add(int shard) {
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
