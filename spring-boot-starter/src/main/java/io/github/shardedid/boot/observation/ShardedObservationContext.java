package io.github.shardedid.boot.observation;

import io.github.shardedid.boot.observation.ShardedObservation.High;
import io.github.shardedid.boot.observation.ShardedObservation.Low;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/** What is known of one thing that is observed. For one thread at a time, like all contexts. */
public final class ShardedObservationContext extends Observation.Context {
    private final ShardedObservation observation;
    private final String text;
    private KeyValues low = KeyValues.empty();
    private KeyValues high = KeyValues.empty();
    private volatile @Nullable String outcome;

    ShardedObservationContext(ShardedObservation observation, String text) {
        this.observation = observation;
        this.text = text;
    }

    ShardedObservationContext with(Low key, String value) {
        low = low.and(key.withValue(value));
        return this;
    }

    ShardedObservationContext with(High key, String value) {
        high = high.and(key.withValue(value));
        return this;
    }

    ShardedObservationContext ends(String how) {
        outcome = how;
        return this;
    }

    /**
     * What is observed.
     *
     * @return one of all kinds
     */
    public ShardedObservation observation() {
        return observation;
    }

    /**
     * What a span is called.
     *
     * @return some words without shards, such as {@code read pg1}
     */
    public String text() {
        return text;
    }

    /**
     * What becomes tags of timers, too.
     *
     * @return all of the kind's; the outcome is preliminary until the end
     */
    public KeyValues few() {
        String now = outcome;
        return now == null ? low : low.and(Low.OUTCOME.withValue(now));
    }

    /**
     * What stays with spans.
     *
     * @return the shard, but for global entities, and the like
     */
    public KeyValues many() {
        return high;
    }
}
