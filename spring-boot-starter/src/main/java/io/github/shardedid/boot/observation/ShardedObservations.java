package io.github.shardedid.boot.observation;

import io.github.shardedid.move.MoveListener;
import io.github.shardedid.routing.RoutingListener;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Observes for a registry what sharded-id does, as {@link ShardedObservation} names it. Where the registry observes nothing, or not
 * this, next to nothing is done. Safe for use by several threads.
 */
public final class ShardedObservations {
    private final ObservationRegistry registry;
    private final Map<ShardedObservation, ShardedObservationConvention> conventions =
            new EnumMap<>(ShardedObservation.class);

    /**
     * For a registry.
     *
     * @param registry is asked each time whether it observes anything
     */
    public ShardedObservations(ObservationRegistry registry) {
        this.registry = registry;
        for (ShardedObservation each : ShardedObservation.values()) {
            conventions.put(each, new ShardedObservationConvention(each));
        }
    }

    /**
     * Observes statements.
     *
     * @return for {@code RoutingOptions}, or as a bean
     */
    public RoutingListener routing() {
        return new ObservedRouting(this);
    }

    /**
     * Observes moves.
     *
     * @return for {@code MoveOptions}, or as a bean
     */
    public MoveListener moves() {
        return new ObservedMoves(this);
    }

    boolean isOff() {
        return registry.isNoop();
    }

    /** A new observation that has begun and is the current one of this thread; null if it is not wanted. */
    @Nullable
    Observed begin(ShardedObservationContext context) {
        ShardedObservation kind = context.observation();
        Observation observation = kind.observation(null, convention(kind), () -> context, registry);
        return observation.isNoop() ? null : new Observed(observation.start(), context);
    }

    private ShardedObservationConvention convention(ShardedObservation kind) {
        return conventions.computeIfAbsent(kind, ShardedObservationConvention::new);
    }
}
