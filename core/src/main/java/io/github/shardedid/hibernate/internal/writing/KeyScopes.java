package io.github.shardedid.hibernate.internal.writing;

import io.github.shardedid.routing.ShardContext;
import org.hibernate.event.spi.DeleteContext;
import org.hibernate.event.spi.DeleteEvent;
import org.hibernate.event.spi.DeleteEventListener;
import org.hibernate.event.spi.LockEvent;
import org.hibernate.event.spi.LockEventListener;
import org.hibernate.event.spi.ReplicateEvent;
import org.hibernate.event.spi.ReplicateEventListener;

/** Deletes, locks and replicates rows whose ids name no shard in that of their shard keys: the session may not know them yet. */
public final class KeyScopes {
    private KeyScopes() {}

    /** Deletes rows. */
    public record Deletes(OwnerScopes scopes, DeleteEventListener next) implements DeleteEventListener {
        @Override
        public void onDelete(DeleteEvent event) {
            try (ShardContext.Scope key =
                    scopes.openOfKey(event.getSession(), event.getEntityName(), event.getObject())) {
                next.onDelete(event);
            }
        }

        @Override
        public void onDelete(DeleteEvent event, DeleteContext transients) {
            try (ShardContext.Scope key =
                    scopes.openOfKey(event.getSession(), event.getEntityName(), event.getObject())) {
                next.onDelete(event, transients);
            }
        }
    }

    /** Locks rows. */
    public record Locks(OwnerScopes scopes, LockEventListener next) implements LockEventListener {
        @Override
        public void onLock(LockEvent event) {
            try (ShardContext.Scope key =
                    scopes.openOfKey(event.getSession(), event.getEntityName(), event.getObject())) {
                next.onLock(event);
            }
        }
    }

    /** Replicates rows. */
    @SuppressWarnings("deprecation") // Hibernate still has Session.replicate
    public record Replications(OwnerScopes scopes, ReplicateEventListener next) implements ReplicateEventListener {
        @Override
        public void onReplicate(ReplicateEvent event) {
            try (ShardContext.Scope key =
                    scopes.openOfKey(event.getSession(), event.getEntityName(), event.getObject())) {
                next.onReplicate(event);
            }
        }
    }
}
