package io.github.shardedid.hibernate.internal.writing;

import io.github.shardedid.hibernate.internal.routing.Sharding;
import org.hibernate.engine.spi.PersistenceContext;
import org.hibernate.event.internal.DefaultAutoFlushEventListener;
import org.hibernate.event.spi.EventSource;
import org.hibernate.event.spi.FlushEvent;

/** The flush before a query, planned before it is executed. */
public final class PlannedAutoFlushListener extends DefaultAutoFlushEventListener {
    private final Sharding sharding;

    public PlannedAutoFlushListener(Sharding sharding) {
        this.sharding = sharding;
    }

    @Override
    protected void flushEverythingToExecutions(FlushEvent event, PersistenceContext context, EventSource session) {
        FlushPlan.prepare(sharding, session, () -> super.flushEverythingToExecutions(event, context, session));
    }

    @Override
    protected void performExecutions(EventSource session) {
        FlushPlan.executePrepared(() -> super.performExecutions(session));
    }
}
