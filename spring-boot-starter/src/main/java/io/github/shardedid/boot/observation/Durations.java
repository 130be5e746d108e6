package io.github.shardedid.boot.observation;

import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** The number and the total duration of events, kept outside of the registry like {@link Counters}. */
final class Durations {
    private final LongAdder count = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    void add(long duration) {
        count.increment();
        nanos.add(duration);
    }

    void bind(MeterRegistry registry, String name, String description, String... tags) {
        FunctionTimer.builder(name, this, all -> all.count.sum(), all -> all.nanos.sum(), TimeUnit.NANOSECONDS)
                .tags(tags)
                .description(description)
                .register(registry);
    }
}
