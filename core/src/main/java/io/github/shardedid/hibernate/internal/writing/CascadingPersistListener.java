package io.github.shardedid.hibernate.internal.writing;

import io.github.shardedid.routing.ShardContext;
import org.hibernate.event.spi.PersistContext;
import org.hibernate.event.spi.PersistEvent;
import org.hibernate.event.spi.PersistEventListener;

/** Persists rows that are reached by cascade in the shard of their owner. */
public record CascadingPersistListener(OwnerScopes scopes, PersistEventListener next) implements PersistEventListener {
    @Override
    public void onPersist(PersistEvent event) {
        try (ShardContext.Scope scope = scopes.openOfId(event.getSession(), event.getEntityName(), event.getObject())) {
            next.onPersist(event);
        }
    }

    @Override
    public void onPersist(PersistEvent event, PersistContext created) {
        try (ShardContext.Scope owner = scopes.open(event.getSession(), event.getEntityName(), event.getObject());
                ShardContext.Scope id = scopes.openOfId(event.getSession(), event.getEntityName(), event.getObject())) {
            next.onPersist(event, created);
        }
    }
}
