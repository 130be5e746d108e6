package io.github.shardedid.boot.observation;

import io.github.shardedid.boot.observation.ShardedObservation.High;
import io.github.shardedid.boot.observation.ShardedObservation.Low;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/** Context of an observation. For one thread at a time, like all contexts. */
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

    ShardedObservationContext outcome(String value) {
        outcome = value;
        return this;
    }

    /**
     * Returns the kind of the observation.
     *
     * @return the kind
     */
    public ShardedObservation observation() {
        return observation;
    }

    /**
     * Returns the name of the span.
     *
     * @return a name without shards, such as {@code read pg1}
     */
    public String text() {
        return text;
    }

    /**
     * Returns the key values of low cardinality.
     *
     * @return the values of all keys of the kind; the outcome may change until the observation ends
     */
    public KeyValues few() {
        String now = outcome;
        return now == null ? low : low.and(Low.OUTCOME.withValue(now));
    }

    /**
     * Returns the key values of high cardinality.
     *
     * @return the values; without a shard for global entities
     */
    public KeyValues many() {
        return high;
    }
}
