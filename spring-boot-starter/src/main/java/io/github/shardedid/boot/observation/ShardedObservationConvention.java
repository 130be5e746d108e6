package io.github.shardedid.boot.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Convention with the names and key values that {@link ShardedObservation} documents. To replace it for a kind, register a bean of
 * a subclass that also implements {@code GlobalObservationConvention}.
 */
public class ShardedObservationConvention implements ObservationConvention<ShardedObservationContext> {
    private final ShardedObservation observation;

    /**
     * Creates the convention of one kind of observations.
     *
     * @param observation the kind
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
