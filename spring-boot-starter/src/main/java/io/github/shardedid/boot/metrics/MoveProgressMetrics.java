package io.github.shardedid.boot.metrics;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveStep;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/** How moves come along that this process makes: over all of them, for a shard is no tag. */
final class MoveProgressMetrics implements MoveListener, MeterBinder {
    private static final String PREFIX = "sharded.id.moves";

    private final Map<UUID, MoveProgress> underWay = new ConcurrentHashMap<>();
    private final LongAdder done = new LongAdder();
    private final LongAdder aborted = new LongAdder();
    private final LongAdder stopped = new LongAdder();
    private final LongAdder pauses = new LongAdder();
    private final LongAdder pauseNanos = new LongAdder();

    @Override
    public void progress(MoveProgress progress) {
        UUID move = progress.move().id();
        if (!progress.step().ended()) {
            underWay.put(move, progress);
            return;
        }
        underWay.remove(move);
        (progress.step() == MoveStep.DONE ? done : aborted).increment();
        Duration pause = progress.pause();
        if (progress.step() == MoveStep.DONE && pause != null) {
            pauses.increment();
            pauseNanos.add(pause.toNanos());
        }
    }

    /** One that was refused in its first step has been aborted by then. */
    @Override
    public void stopped(Move move, RuntimeException failure) {
        if (underWay.remove(move.id()) != null) {
            stopped.increment();
        }
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (MoveStep step : MoveStep.values()) {
            if (!step.ended()) {
                Gauge.builder(PREFIX, underWay, moves -> at(step))
                        .tag("step", step.name().toLowerCase(Locale.ROOT))
                        .description("Moves that this process is making, by step")
                        .register(registry);
            }
        }
        bytes(registry, "copied", "Bytes of rows that moves under way have copied", MoveProgress::bytesCopied);
        bytes(registry, "total", "Bytes of rows that moves under way are to copy", MoveProgress::bytesTotal);
        bytes(registry, "lag", "How much of the sources' logs their targets have still to hear of", p -> p.lagBytes());
        ended(registry, "done", done);
        ended(registry, "aborted", aborted);
        ended(registry, "stopped", stopped);
        FunctionTimer.builder(
                        PREFIX + ".pauses", pauses, LongAdder::sum, count -> pauseNanos.sum(), TimeUnit.NANOSECONDS)
                .description("How long nobody could write to a shard that was moved")
                .register(registry);
    }

    private long at(MoveStep step) {
        return underWay.values().stream()
                .filter(progress -> progress.step() == step)
                .count();
    }

    private void bytes(MeterRegistry registry, String what, String description, ToLongFunction<MoveProgress> ofOne) {
        Gauge.builder(PREFIX + "." + what, underWay, moves -> moves.values().stream()
                        .mapToLong(ofOne)
                        .map(known -> Math.max(0, known))
                        .sum())
                .baseUnit("bytes")
                .description(description)
                .register(registry);
    }

    private static void ended(MeterRegistry registry, String outcome, LongAdder counter) {
        FunctionCounter.builder(PREFIX + ".ended", counter, LongAdder::doubleValue)
                .tag("outcome", outcome)
                .description("Moves that have ended in this process, or have stopped until they are resumed or aborted")
                .register(registry);
    }
}
