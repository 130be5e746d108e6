package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.Target;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Loads several rows with one call per target, and merges the results in the requested order. */
final class LoadsByTarget {
    private LoadsByTarget() {}

    /**
     * Loads rows.
     *
     * @param keys ids or natural ids
     * @param ordered whether the result has one element for each key, null for a row that is not found
     * @param targets the target of a key; null for a row that cannot exist
     * @param load loads the rows of one target
     */
    static List<?> load(
            @Nullable Object[] keys,
            boolean ordered,
            Function<@Nullable Object, @Nullable Target> targets,
            Function<Object[], List<?>> load) {
        Map<Target, List<Integer>> indexesByTarget = new LinkedHashMap<>();
        for (int i = 0; i < keys.length; i++) {
            Target target = targets.apply(keys[i]);
            if (target != null) {
                indexesByTarget
                        .computeIfAbsent(target, none -> new ArrayList<>())
                        .add(i);
            }
        }
        @Nullable Object[] inOrder = new Object[keys.length];
        List<@Nullable Object> unordered = new ArrayList<>(keys.length);
        indexesByTarget.forEach((target, indexes) -> {
            List<?> part = RoutedScope.call(target, () -> load.apply(pick(keys, indexes)));
            if (ordered) {
                for (int i = 0; i < indexes.size(); i++) {
                    inOrder[indexes.get(i)] = part.get(i);
                }
            } else {
                unordered.addAll(part);
            }
        });
        return ordered ? new ArrayList<>(Arrays.asList(inOrder)) : unordered;
    }

    private static Object[] pick(@Nullable Object[] keys, List<Integer> indexes) {
        Object[] part = (Object[]) Array.newInstance(keys.getClass().getComponentType(), indexes.size());
        Arrays.setAll(part, i -> keys[indexes.get(i)]);
        return part;
    }
}
