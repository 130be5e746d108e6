package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.topology.UnknownShardException;
import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The shards of values that a query requires. */
final class ShardsOfValues {
    private ShardsOfValues() {}

    /** A value, never null: a null equals nothing. */
    record Value(ShardRule rule, Object value) {}

    /** Without ids that no shard can have generated: they are those of no row. */
    static Set<Integer> of(Stream<Value> values) {
        Set<Integer> found = new TreeSet<>();
        values.forEach(each -> elements(each.value()).forEach(value -> {
            try {
                found.add(each.rule().shardOf(value));
            } catch (UnknownShardException | MalformedIdException noSuchRow) {
                // in no shard
            }
        }));
        return found;
    }

    /** The elements of an array or a collection that are not null, or the value itself. */
    static Stream<?> elements(Object value) {
        Stream<?> all = value instanceof Collection<?> collection
                ? collection.stream()
                : value.getClass().isArray()
                        ? IntStream.range(0, Array.getLength(value)).mapToObj(i -> Array.get(value, i))
                        : Stream.of(value);
        return all.filter(each -> each != null);
    }
}
