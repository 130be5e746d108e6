package io.github.shardedid.boot.observation;

import io.github.shardedid.routing.RoutingListener;
import io.micrometer.observation.Observation;
import java.util.Locale;

/** An observation that is under way, and the current one of the thread that made it. */
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
        ends(outcome.name());
    }

    /** How it ends, unless something else is said later. */
    void ends(String outcome) {
        context.ends(outcome.toLowerCase(Locale.ROOT));
    }

    /** The current one of another thread, too: what begins there is a child of it. */
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
