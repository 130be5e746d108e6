package io.github.shardedid.boot.observation;

import io.github.shardedid.boot.observation.ShardedObservation.High;
import io.github.shardedid.boot.observation.ShardedObservation.Low;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveStep;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Observes moves and their steps, on the thread of the move. An observation of a step ends when the next step starts. */
final class ObservedMoves implements MoveListener {
    private final ShardedObservations observations;
    private final Map<UUID, UnderWay> underWay = new ConcurrentHashMap<>();

    ObservedMoves(ShardedObservations observations) {
        this.observations = observations;
    }

    /** For the thread of the move only. */
    private static final class UnderWay {
        private final @Nullable Observed move;
        private @Nullable Observed step;
        private @Nullable MoveStep at;

        UnderWay(@Nullable Observed move) {
            this.move = move;
        }

        void end(String outcome, @Nullable Throwable failure) {
            end(step, null, failure);
            end(move, outcome, failure);
        }

        static void end(@Nullable Observed observed, @Nullable String outcome, @Nullable Throwable failure) {
            if (observed == null) {
                return;
            }
            if (outcome != null) {
                observed.outcome(outcome);
            }
            if (failure != null) {
                observed.failed(failure);
            }
            observed.close();
        }
    }

    @Override
    public void progress(MoveProgress progress) {
        MoveStep step = progress.step();
        UnderWay known = underWay.get(progress.move().id());
        if (step.ended()) {
            end(progress.move(), step.name(), null);
        } else if (known != null || !observations.isOff()) {
            UnderWay of = known == null ? begin(progress.move()) : known;
            if (of.at != step) {
                UnderWay.end(of.step, null, null);
                of.at = step;
                of.step = begin(progress.move(), step);
            }
        }
    }

    @Override
    public void stopped(Move move, RuntimeException failure) {
        end(move, "stopped", failure);
    }

    private void end(Move move, String outcome, @Nullable Throwable failure) {
        UnderWay known = underWay.remove(move.id());
        if (known != null) {
            known.end(outcome, failure);
        }
    }

    private UnderWay begin(Move move) {
        UnderWay begun = new UnderWay(observations.begin(new ShardedObservationContext(
                        ShardedObservation.MOVE, "move a shard from " + move.source() + " to " + move.target())
                .with(Low.SOURCE, move.source())
                .with(Low.TARGET, move.target())
                .with(High.SHARD, Integer.toString(move.shard()))
                .outcome("none")));
        underWay.put(move.id(), begun);
        return begun;
    }

    private @Nullable Observed begin(Move move, MoveStep step) {
        String name = step.name().toLowerCase(Locale.ROOT);
        return observations.begin(new ShardedObservationContext(ShardedObservation.MOVE_STEP, name)
                .with(Low.STEP, name)
                .with(High.SHARD, Integer.toString(move.shard())));
    }
}
