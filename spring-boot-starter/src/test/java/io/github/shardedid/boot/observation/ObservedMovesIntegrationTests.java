package io.github.shardedid.boot.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.boot.startup.MovedShards;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.MoveUnfinishedException;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Moves between real databases are observed and counted to whatever end they come. */
@Tag("quick")
class ObservedMovesIntegrationTests implements ObservationHandler<Observation.Context> {
    private final MovedShards cluster = new MovedShards();
    private final TestObservationRegistry observations = TestObservationRegistry.create();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Queue<Observation.Context> ended = new ConcurrentLinkedQueue<>();
    private @Nullable MoveStep interrupted;

    @Override
    public boolean supportsContext(Observation.Context context) {
        return true;
    }

    @Override
    public void onStop(Observation.Context context) {
        ended.add(context);
    }

    @BeforeEach
    void bind() {
        observations
                .observationConfig()
                .observationHandler(this)
                .observationHandler(new DefaultMeterObservationHandler(meters));
    }

    private MoveListener listener() {
        MoveListener interrupting = progress -> {
            if (progress.step() == interrupted) {
                Thread.currentThread().interrupt();
            }
        };
        List<MoveListener> all = List.of(new ShardedObservations(observations).moves(), interrupting);
        return new MoveListener() {
            @Override
            public void progress(MoveProgress progress) {
                all.forEach(each -> each.progress(progress));
            }

            @Override
            public void stopped(Move move, RuntimeException failure) {
                all.forEach(each -> each.stopped(move, failure));
            }
        };
    }

    private double ended(String outcome) {
        return meters.find("sharded.id.move").tag("outcome", outcome).timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }

    private List<Observation.Context> of(String name) {
        return ended.stream().filter(each -> name.equals(each.getName())).toList();
    }

    private static String value(Observation.Context context, String key) {
        return String.valueOf(context.getAllKeyValues().stream()
                .filter(each -> each.getKey().equals(key))
                .findAny()
                .map(each -> each.getValue())
                .orElse(null));
    }

    @Test
    void aMoveIsASpan() {
        cluster.mover(listener()).move(0, "pg2");

        Observation.Context move = of("sharded.id.move").get(0);
        assertThat(of("sharded.id.move")).hasSize(1);
        assertThat(Stream.of("source", "target", "outcome", "shard").map(key -> value(move, key)))
                .containsExactly("pg1", "pg2", "done", "0");
        assertThat(observations.getCurrentObservation()).isNull();
        assertThat(ended("done")).isEqualTo(1);
        assertThat(ended("stopped") + ended("aborted")).isZero();
        assertThat(meters.get("sharded.id.move")
                        .tags("source", "pg1", "target", "pg2", "outcome", "done")
                        .timer())
                .satisfies(duration -> assertThat(duration.count()).isEqualTo(1))
                .satisfies(duration ->
                        assertThat(duration.totalTime(TimeUnit.MILLISECONDS)).isPositive());
    }

    @Test
    void aMoveThatStopsHasItsErrorAndItsAbortIsObservedToo() {
        interrupted = MoveStep.COPY;
        assertThatThrownBy(() -> cluster.mover(listener()).move(0, "pg2"))
                .isInstanceOfAny(MoveUnfinishedException.class, RuntimeException.class);
        assertThat(Thread.interrupted()).isTrue();

        assertThat(of("sharded.id.move")).singleElement().satisfies(move -> {
            assertThat(value(move, "outcome")).isEqualTo("stopped");
            assertThat(move.getError()).isNotNull();
        });
        assertThat(ended("stopped")).isEqualTo(1);

        ended.clear();
        interrupted = null;
        cluster.mover(listener()).abort(0);
        assertThat(of("sharded.id.move")).singleElement().satisfies(move -> assertThat(value(move, "outcome"))
                .isEqualTo("aborted"));
        assertThat(ended("aborted")).isEqualTo(1);
    }
}
