package io.github.shardedid.boot.observation;

import io.github.shardedid.move.MoveListener;
import io.github.shardedid.routing.RoutingListener;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates the observations in {@link ShardedObservation} for a registry. Disabled observations cost almost nothing. Safe for use by
 * several threads.
 */
public final class ShardedObservations {
    private final ObservationRegistry registry;
    private final Map<ShardedObservation, ShardedObservationConvention> conventions =
            new EnumMap<>(ShardedObservation.class);

    /**
     * Creates the observations for a registry.
     *
     * @param registry the registry; it may be enabled and disabled later
     */
    public ShardedObservations(ObservationRegistry registry) {
        this.registry = registry;
        for (ShardedObservation each : ShardedObservation.values()) {
            conventions.put(each, new ShardedObservationConvention(each));
        }
    }

    /**
     * Returns a listener that observes statements.
     *
     * @return a listener for {@code RoutingOptions}, or as a bean
     */
    public RoutingListener routing() {
        return new ObservedRouting(this);
    }

    /**
     * Returns a listener that observes moves.
     *
     * @return a listener for {@code MoveOptions}, or as a bean
     */
    public MoveListener moves() {
        return new ObservedMoves(this);
    }

    boolean isOff() {
        return registry.isNoop();
    }

    /** Starts an observation and makes it the current one of this thread. Null if the registry ignores it. */
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
