package io.github.shardedid.boot.differential;

import io.github.shardedid.spring.data.PartialWriteException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the plain side does for a call that is documented to be one transaction per shard. */
final class PerShard {
    private PerShard() {}

    static <T, R> List<String> of(
            Side side, List<T> values, Function<T, @Nullable Long> id, Function<List<T>, List<R>> call) {
        values.forEach(value -> touches(side, id.apply(value)));
        if (side.sharded || side.inside()) {
            return call.apply(values).stream().map(Text::of).sorted().toList();
        }
        side.written().clear();
        Map<Integer, List<T>> groups = new TreeMap<>();
        for (T value : values) {
            groups.computeIfAbsent(Numbers.LAYOUT.shardOf(id.apply(value)), shard -> new ArrayList<>())
                    .add(value);
        }
        List<String> results = new ArrayList<>();
        RuntimeException failure = null;
        for (List<T> group : groups.values()) {
            try {
                call.apply(group).forEach(result -> results.add(Text.of(result)));
            } catch (RuntimeException e) {
                failure = e;
            }
            side.written().clear();
        }
        if (failure != null) {
            throw groups.size() == 1 ? failure : new PartialWriteException("", failure, Map.of(), Map.of(), Map.of());
        }
        return results.stream().sorted().toList();
    }

    /** The ids tell the shards, whether there are such rows or not. */
    private static void touches(Side side, @Nullable Long id) {
        if (id != null) {
            side.written().touches(id);
        }
    }
}
