package io.github.shardedid.example.operations;

import io.github.shardedid.boot.autoconfigure.ShardedIdProperties;
import io.github.shardedid.example.operations.DatabaseStatistics.Counted;
import jakarta.annotation.PreDestroy;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Statistics of all databases, queried at most about once per second regardless of the number of clients. Thread-safe. */
@Component
class ShardFigures {
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(900);
    /** Smooths the rates, because servers update their counters only about once per second. */
    private static final double SMOOTH = 0.5;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, DatabaseStatistics> databases = new TreeMap<>();
    private final ExecutorService threads;
    private Map<String, Sample> samples = Map.of();
    private @Nullable Long takenAt;

    ShardFigures(ShardedIdProperties properties) {
        properties.databases().forEach((name, database) -> databases.put(name, new DatabaseStatistics(database)));
        this.threads = Executors.newFixedThreadPool(Math.max(1, databases.size()));
    }

    /** The statistics of a database; {@code shards} is null if the query failed. */
    record Sample(long nanos, @Nullable Map<Integer, Figures> shards) {}

    /** The figures of one shard. */
    record Figures(Counted counted, double writesPerSecond) {}

    /** Returns the statistics by database name. */
    Map<String, Sample> get() {
        lock.lock();
        try {
            if (takenAt == null || System.nanoTime() - takenAt > FRESH_NANOS) {
                samples = sample();
                takenAt = System.nanoTime();
            }
            return samples;
        } finally {
            lock.unlock();
        }
    }

    private Map<String, Sample> sample() {
        Map<String, CompletableFuture<Sample>> asked = new TreeMap<>();
        databases.forEach((name, database) ->
                asked.put(name, CompletableFuture.supplyAsync(() -> sample(database, samples.get(name)), threads)));
        Map<String, Sample> taken = new TreeMap<>();
        asked.forEach((name, sample) -> taken.put(name, sample.join()));
        return taken;
    }

    private static Sample sample(DatabaseStatistics database, @Nullable Sample before) {
        Map<Integer, Counted> counted = database.read();
        long now = System.nanoTime();
        if (counted == null) {
            return new Sample(now, null);
        }
        Map<Integer, Figures> figures = new HashMap<>();
        counted.forEach((shard, count) -> figures.put(shard, figures(count, shard, before, now)));
        return new Sample(now, figures);
    }

    private static Figures figures(Counted now, int shard, @Nullable Sample sample, long nanos) {
        Figures before = sample == null || sample.shards() == null
                ? null
                : Objects.requireNonNull(sample.shards()).get(shard);
        if (sample == null || before == null || now.writes() < before.counted().writes()) {
            return new Figures(now, 0);
        }
        double seconds = (nanos - sample.nanos()) / 1e9;
        double rate = (now.writes() - before.counted().writes()) / seconds;
        double smooth = SMOOTH * rate + (1 - SMOOTH) * before.writesPerSecond();
        return new Figures(now, smooth < 0.05 ? 0 : smooth);
    }

    @PreDestroy
    void close() {
        threads.shutdownNow();
        databases.values().forEach(DatabaseStatistics::close);
    }
}
