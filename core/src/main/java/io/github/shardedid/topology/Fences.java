package io.github.shardedid.topology;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Since when each shard has been known to be fenced, or about to be, and to be as it is. Immutable.
 *
 * @param since by instants of the map's clock
 * @param changed when the record of a shard has become another one, if it has
 */
record Fences(Map<Integer, Long> since, Map<Integer, Long> changed) {
    /** Mostly: no shard is fenced, and none has changed in this process. */
    static final Fences NONE = new Fences(Map.of(), Map.of());

    /** Those of a map. A fence lasts as long as each map has the shard in the same state and generation. */
    static Fences of(ShardMap loaded, @Nullable ShardMap before, Fences known, long now, long end) {
        Map<Integer, Long> since = new HashMap<>();
        Map<Integer, Long> changed = new HashMap<>(known.changed);
        for (int shard = 0; shard < loaded.shardCount(); shard++) {
            if (before != null && !Objects.equals(loaded.home(shard), before.home(shard))) {
                changed.put(shard, end);
            }
            if (loaded.isFenced(shard)) {
                boolean same = before != null
                        && loaded.generationOf(shard) == before.generationOf(shard)
                        && loaded.isBlocked(shard) == before.isBlocked(shard);
                since.put(shard, same ? known.since.getOrDefault(shard, now) : now);
            }
        }
        return since.isEmpty() && changed.isEmpty() ? NONE : new Fences(Map.copyOf(since), Map.copyOf(changed));
    }

    boolean isUnchangedSince(int shard, long nanos) {
        Long last = changed.get(shard);
        return last == null || nanos - last >= 0;
    }

    SortedMap<Integer, Duration> durations(long now) {
        SortedMap<Integer, Duration> durations = new TreeMap<>();
        since.forEach((shard, begin) -> durations.put(shard, Duration.ofNanos(now - begin)));
        return durations;
    }

    ShardRanges lastingFor(Duration time, long now) {
        return ShardRanges.of(since.entrySet().stream()
                .filter(fence -> now - fence.getValue() >= time.toNanos())
                .mapToInt(Map.Entry::getKey)
                .toArray());
    }

    boolean isLastingFor(int shard, Duration time, long now) {
        Long begin = since.get(shard);
        return begin != null && now - begin >= time.toNanos();
    }
}
