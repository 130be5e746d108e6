package io.github.shardedid.boot.observation;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveStep;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/** Progress of the moves in this process, summed over all of them, and their pauses. Their ends are timers of observations. */
final class MoveProgressMetrics implements MoveListener, MeterBinder {
    private static final String PREFIX = "sharded.id.moves";

    private final Map<UUID, MoveProgress> inProgress = new ConcurrentHashMap<>();
    /** By target, one for each registry. */
    private final Map<String, List<Timer>> pauses = new ConcurrentHashMap<>();

    /** The databases bound the number of the timers. */
    MoveProgressMetrics(Iterable<String> databases) {
        databases.forEach(target -> pauses.put(target, new CopyOnWriteArrayList<>()));
    }

    @Override
    public void progress(MoveProgress progress) {
        Move move = progress.move();
        if (!progress.step().ended()) {
            inProgress.put(move.id(), progress);
            return;
        }
        inProgress.remove(move.id());
        Duration pause = progress.pause();
        if (progress.step() == MoveStep.DONE && pause != null) {
            pauses.getOrDefault(move.target(), List.of()).forEach(timer -> timer.record(pause));
        }
    }

    @Override
    public void stopped(Move move, RuntimeException failure) {
        inProgress.remove(move.id());
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
                MoveProgress::lagBytes);
        pauses.forEach((target, timers) -> timers.add(Timer.builder(PREFIX + ".pauses")
                .description("Time during which writes to a moving shard were blocked")
                .serviceLevelObjectives(LongStream.of(100, 250, 500, 1_000, 5_000, 15_000)
                        .mapToObj(Duration::ofMillis)
                        .toArray(Duration[]::new))
                .tag("target", target)
                .register(registry)));
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
}
