package io.github.shardedid.boot.observation;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * A counter for each constant of an enumeration. Counters are kept outside of the registry, so that events before it exists are
 * not lost, and an event needs no lookup in it.
 */
final class Counters<K extends Enum<K>> {
    private final Map<K, LongAdder> counters;

    Counters(Class<K> type) {
        counters = new EnumMap<>(type);
        for (K key : type.getEnumConstants()) {
            counters.put(key, new LongAdder());
        }
    }

    void increment(K key) {
        Objects.requireNonNull(counters.get(key)).increment();
    }

    /** Registers all counters under one name. The names of the constants are the values of the tag. */
    void bind(MeterRegistry registry, String name, String description, String tag, String... otherTags) {
        counters.forEach((key, counter) -> bind(
                registry,
                name,
                description,
                counter,
                Tags.of(otherTags).and(tag, key.name().toLowerCase(Locale.ROOT))));
    }

    /** Registers one counter. */
    static void bind(MeterRegistry registry, String name, String description, LongAdder counter, Iterable<Tag> tags) {
        FunctionCounter.builder(name, counter, LongAdder::doubleValue)
                .tags(tags)
                .description(description)
                .register(registry);
    }
}
