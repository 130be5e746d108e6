package io.github.shardedid.boot.observation;

import io.github.shardedid.generator.IdStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Ids that this process generates, by strategy and database. There may be thousands of shards, too many for a tag. */
final class IdMetrics implements MeterBinder {
    private static final String PREFIX = "sharded.id.ids.";

    private final IdStatistics statistics;
    private final List<String> databases;

    IdMetrics(IdStatistics statistics, Set<String> databases) {
        this.statistics = statistics;
        this.databases = List.copyOf(databases);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (String database : databases) {
            for (IdStatistics.Maker maker : IdStatistics.Maker.values()) {
                FunctionCounter.builder(PREFIX + "made", statistics, ids -> ids.made(maker, database))
                        .tags("database", database, "strategy", maker.name().toLowerCase(Locale.ROOT))
                        .description("Ids generated for rows of the database's shards")
                        .register(registry);
            }
        }
        TimeGauge.builder(PREFIX + "ahead", statistics, TimeUnit.MILLISECONDS, ids -> ids.ahead()
                        .toMillis())
                .description("How far the newest id that this process generated is ahead of the clock")
                .register(registry);
    }
}
