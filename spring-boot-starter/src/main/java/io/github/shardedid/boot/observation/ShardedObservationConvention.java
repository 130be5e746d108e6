package io.github.shardedid.boot.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * The names and key values that {@link ShardedObservation} documents. A bean of a subclass that also implements {@code
 * GlobalObservationConvention} is used instead for its kind.
 */
public class ShardedObservationConvention implements ObservationConvention<ShardedObservationContext> {
    private final ShardedObservation observation;

    /**
     * For one kind of observations.
     *
     * @param observation which
     */
    public ShardedObservationConvention(ShardedObservation observation) {
        this.observation = observation;
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof ShardedObservationContext ours && ours.observation() == observation;
    }

    @Override
    public String getName() {
        return observation.getName();
    }

    @Override
    public String getContextualName(ShardedObservationContext context) {
        return context.text();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(ShardedObservationContext context) {
        return context.few();
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(ShardedObservationContext context) {
        return context.many();
    }
}
