package io.github.shardedid.hibernate.internal.writing;

import io.github.shardedid.routing.ShardContext;
import org.hibernate.Hibernate;
import org.hibernate.event.spi.EventSource;
import org.hibernate.event.spi.PersistContext;
import org.hibernate.event.spi.PersistEvent;
import org.hibernate.event.spi.PersistEventListener;
import org.jspecify.annotations.Nullable;

/**
 * Persists rows that are reached by cascade in the shard of their owner. The persistence context knows the owners of collections only,
 * so this listener tracks the rows that are being persisted. Safe for use by several threads.
 */
public record CascadingPersistListener(OwnerScopes scopes, PersistEventListener next) implements PersistEventListener {
    private static final ThreadLocal<@Nullable Persisting> INNERMOST = new ThreadLocal<>();

    /** A row that is being persisted, and the one around it. */
    private record Persisting(EventSource session, Object entity, @Nullable Persisting outer) {}

    @Override
    public void onPersist(PersistEvent event) {
        Persisting outer = enter(event);
        try (ShardContext.Scope scope = scopes.openOfId(event.getSession(), event.getEntityName(), event.getObject())) {
            next.onPersist(event);
        } finally {
            restore(outer);
        }
    }

    @Override
    public void onPersist(PersistEvent event, PersistContext created) {
        Persisting outer = enter(event);
        try (ShardContext.Scope owner = open(event, outer);
                ShardContext.Scope id = scopes.openOfId(event.getSession(), event.getEntityName(), event.getObject())) {
            next.onPersist(event, created);
        } finally {
            restore(outer);
        }
    }

    private static @Nullable Persisting enter(PersistEvent event) {
        Persisting outer = INNERMOST.get();
        INNERMOST.set(new Persisting(event.getSession(), event.getObject(), outer));
        return outer;
    }

    private static void restore(@Nullable Persisting outer) {
        if (outer == null) {
            INNERMOST.remove();
        } else {
            INNERMOST.set(outer);
        }
    }

    @SuppressWarnings("ReferenceEquality") // a session equals only itself
    private ShardContext.@Nullable Scope open(PersistEvent event, @Nullable Persisting outer) {
        EventSource session = event.getSession();
        ShardContext.Scope ofCollection = scopes.open(session, event.getEntityName(), event.getObject());
        if (ofCollection != null) {
            return ofCollection;
        }
        Object owner = outer == null || outer.session() != session ? null : outer.entity();
        Object row = owner == null || !Hibernate.isInitialized(owner) ? null : Hibernate.unproxy(owner);
        return scopes.openOfReferring(session, row, row, event.getEntityName(), event.getObject());
    }
}
