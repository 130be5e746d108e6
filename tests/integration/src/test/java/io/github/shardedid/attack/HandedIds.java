package io.github.shardedid.attack;

import io.github.shardedid.id.IdLayout;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The ids that one thread was handed, by place. Others may ask how many there are. */
final class HandedIds {
    private static final int UPPER_HALF = IdLayout.DEFAULT.databaseSequences();

    private final Map<Place, long[]> ids = new ConcurrentHashMap<>();
    private final Map<Place, Integer> sizes = new ConcurrentHashMap<>();
    private final Map<Place, AtomicInteger> upper = new ConcurrentHashMap<>();

    void add(Place place, long id) {
        int size = sizes.getOrDefault(place, 0);
        long[] values = ids.computeIfAbsent(place, unused -> new long[4096]);
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
            ids.put(place, values);
        }
        values[size] = id;
        sizes.put(place, size + 1);
        if ((id & UPPER_HALF) != 0) {
            upper.computeIfAbsent(place, unused -> new AtomicInteger()).incrementAndGet();
        }
    }

    void addAll(Place place, ResultSet rows) throws SQLException {
        try (rows) {
            while (rows.next()) {
                add(place, rows.getLong(1));
            }
        }
    }

    int size(Place place) {
        return sizes.getOrDefault(place, 0);
    }

    /** How many of them are of the upper half of the sequence. */
    int upperHalf(Place place) {
        AtomicInteger count = upper.get(place);
        return count == null ? 0 : count.get();
    }

    /** How many ids of a place all have been handed more than once. */
    static Map<Place, Integer> duplicates(List<HandedIds> all) {
        Map<Place, Integer> duplicates = new TreeMap<>(java.util.Comparator.comparing(Place::toString));
        for (Place place : Place.all()) {
            long[] sorted = all.stream()
                    .flatMapToLong(one -> Arrays.stream(one.ids.getOrDefault(place, new long[0]), 0, one.size(place)))
                    .sorted()
                    .toArray();
            int count = 0;
            for (int i = 1; i < sorted.length; i++) {
                count += sorted[i] == sorted[i - 1] ? 1 : 0;
            }
            if (count > 0) {
                duplicates.put(place, count);
            }
        }
        return duplicates;
    }
}
