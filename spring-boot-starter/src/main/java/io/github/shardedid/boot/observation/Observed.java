package io.github.shardedid.boot.observation;

import io.github.shardedid.routing.RoutingListener;
import io.micrometer.observation.Observation;
import java.util.Locale;

/** A started observation, which is the current one of its thread. */
final class Observed implements RoutingListener.Watch {
    private final Observation observation;
    private final ShardedObservationContext context;
    private final Observation.Scope scope;

    Observed(Observation started, ShardedObservationContext context) {
        this.observation = started;
        this.context = context;
        this.scope = started.openScope();
    }

    @Override
    public void failed(Throwable failure) {
        observation.error(failure);
    }

    @Override
    public void waited(RoutingListener.Outcome outcome) {
        outcome(outcome.name());
    }

    /** Sets the outcome, which may be set again later. */
    void outcome(String outcome) {
        context.outcome(outcome.toLowerCase(Locale.ROOT));
    }

    /** Makes it the current observation of another thread, too: observations that start there become its children. */
    @Override
    public RoutingListener.Watch continued() {
        Observation.Scope there = observation.openScope();
        return new RoutingListener.Watch() {
            @Override
            public void close() {
                there.close();
            }
        };
    }

    @Override
    public void close() {
        try {
            scope.close();
        } finally {
            observation.stop();
        }
    }
}
