package io.github.shardedid.boot.metrics;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveStep;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/** Progress of the moves in this process, summed over all of them. */
final class MoveProgressMetrics implements MoveListener, MeterBinder {
    private static final String PREFIX = "sharded.id.moves";

    private final Map<UUID, MoveProgress> inProgress = new ConcurrentHashMap<>();
    private final LongAdder done = new LongAdder();
    private final LongAdder aborted = new LongAdder();
    private final LongAdder stopped = new LongAdder();
    private final Durations pauses = new Durations();

    @Override
    public void progress(MoveProgress progress) {
        UUID move = progress.move().id();
        if (!progress.step().ended()) {
            inProgress.put(move, progress);
            return;
        }
        inProgress.remove(move);
        (progress.step() == MoveStep.DONE ? done : aborted).increment();
        Duration pause = progress.pause();
        if (progress.step() == MoveStep.DONE && pause != null) {
            pauses.add(pause.toNanos());
        }
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
        pauses.bind(registry, PREFIX + ".pauses", "Time during which writes to a moving shard were blocked");
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
