package io.github.shardedid.boot.observation;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveStep;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/** Progress of the moves in this process, summed over all of them. */
final class MoveProgressMetrics implements MoveListener, MeterBinder {
    private static final String PREFIX = "sharded.id.moves";
    private static final String PAUSE = "pause ";
    private static final String DURATION = "duration ";

    private final Map<UUID, MoveProgress> inProgress = new ConcurrentHashMap<>();
    private final LongAdder done = new LongAdder();
    private final LongAdder aborted = new LongAdder();
    private final LongAdder stopped = new LongAdder();
    private final Map<String, List<Timer>> timers = new ConcurrentHashMap<>();
    private final Collection<String> databases;

    /** The databases bound the number of the timers. */
    MoveProgressMetrics(Collection<String> databases) {
        this.databases = List.copyOf(databases);
    }

    @Override
    public void progress(MoveProgress progress) {
        UUID move = progress.move().id();
        if (!progress.step().ended()) {
            inProgress.put(move, progress);
            return;
        }
        inProgress.remove(move);
        Move ended = progress.move();
        boolean moved = progress.step() == MoveStep.DONE;
        (moved ? done : aborted).increment();
        record(DURATION + (moved ? "done" : "aborted"), ended, Duration.between(ended.started(), ended.changed()));
        Duration pause = progress.pause();
        if (moved && pause != null) {
            record(PAUSE, ended, pause);
        }
    }

    private void record(String what, Move move, Duration duration) {
        timers.getOrDefault(what + move.target(), List.of()).forEach(timer -> timer.record(duration));
    }

    /** A move that was refused in its first step has already been counted as aborted. */
    @Override
    public void stopped(Move move, RuntimeException failure) {
        if (inProgress.remove(move.id()) != null) {
            stopped.increment();
        }
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (MoveStep step : MoveStep.values()) {
            if (!step.ended()) {
                Gauge.builder(PREFIX, inProgress, moves -> at(step))
                        .tag("step", step.name().toLowerCase(Locale.ROOT))
                        .description("Moves in progress in this process, by step")
                        .register(registry);
            }
        }
        bytes(registry, "copied", "Bytes of rows that the moves in progress have copied", MoveProgress::bytesCopied);
        bytes(registry, "total", "Bytes of rows that the moves in progress have to copy", MoveProgress::bytesTotal);
        bytes(
                registry,
                "lag",
                "Bytes of the sources' write-ahead logs that the targets have not confirmed yet",
                p -> p.lagBytes());
        ended(registry, "done", done);
        ended(registry, "aborted", aborted);
        ended(registry, "stopped", stopped);
        databases.forEach(target -> bindTimers(registry, target));
    }

    private void bindTimers(MeterRegistry registry, String target) {
        Timer.Builder pauses = Timer.builder(PREFIX + ".pauses")
                .description("Time during which writes to a moving shard were blocked")
                .serviceLevelObjectives(millis(100, 250, 500, 1_000, 5_000, 15_000));
        keep(PAUSE + target, pauses.tag("target", target).register(registry));
        for (String outcome : List.of("done", "aborted")) {
            Timer.Builder durations = Timer.builder(PREFIX + ".duration")
                    .description("Time from the beginning of a move to its end, in all processes")
                    .serviceLevelObjectives(millis(1_000, 10_000, 60_000, 600_000, 3_600_000, 21_600_000));
            keep(
                    DURATION + outcome + target,
                    durations.tag("target", target).tag("outcome", outcome).register(registry));
        }
    }

    private static Duration[] millis(long... all) {
        return LongStream.of(all).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    }

    private void keep(String key, Timer timer) {
        timers.computeIfAbsent(key, none -> new CopyOnWriteArrayList<>()).add(timer);
    }

    private long at(MoveStep step) {
        return inProgress.values().stream()
                .filter(progress -> progress.step() == step)
                .count();
    }

    private void bytes(MeterRegistry registry, String what, String description, ToLongFunction<MoveProgress> ofOne) {
        Gauge.builder(PREFIX + "." + what, inProgress, moves -> moves.values().stream()
                        .mapToLong(ofOne)
                        .map(known -> Math.max(0, known))
                        .sum())
                .baseUnit("bytes")
                .description(description)
                .register(registry);
    }

    private static void ended(MeterRegistry registry, String outcome, LongAdder counter) {
        Counters.bind(
                registry,
                PREFIX + ".ended",
                "Moves that ended in this process, or stopped until they are resumed or aborted",
                counter,
                Tags.of("outcome", outcome));
    }
}
