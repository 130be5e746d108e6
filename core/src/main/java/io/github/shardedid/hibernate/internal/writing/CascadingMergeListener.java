package io.github.shardedid.hibernate.internal.writing;

import io.github.shardedid.routing.ShardContext;
import org.hibernate.Hibernate;
import org.hibernate.event.spi.EventSource;
import org.hibernate.event.spi.MergeContext;
import org.hibernate.event.spi.MergeEvent;
import org.hibernate.event.spi.MergeEventListener;
import org.jspecify.annotations.Nullable;

/**
 * Merges rows that are reached by cascade in the shard of their owner. The persistence context does not know a detached owner,
 * so this listener tracks the rows that are being merged. Safe for use by several threads.
 */
public record CascadingMergeListener(OwnerScopes scopes, MergeEventListener next) implements MergeEventListener {
    private static final ThreadLocal<@Nullable Merging> INNERMOST = new ThreadLocal<>();

    /** A row that is being merged, and the one around it. */
    private record Merging(EventSource session, Object original, @Nullable Merging outer) {}

    @Override
    public void onMerge(MergeEvent event) {
        Merging outer = enter(event);
        try (ShardContext.Scope id = scopes.openOfId(event.getSession(), event.getEntityName(), event.getOriginal())) {
            next.onMerge(event);
        } finally {
            restore(outer);
        }
    }

    @Override
    public void onMerge(MergeEvent event, MergeContext copied) {
        Merging outer = enter(event);
        try (ShardContext.Scope owner = open(event, copied, outer);
                ShardContext.Scope id =
                        scopes.openOfId(event.getSession(), event.getEntityName(), event.getOriginal())) {
            next.onMerge(event, copied);
        } finally {
            restore(outer);
        }
    }

    private static @Nullable Merging enter(MergeEvent event) {
        Merging outer = INNERMOST.get();
        INNERMOST.set(new Merging(event.getSession(), event.getOriginal(), outer));
        return outer;
    }

    private static void restore(@Nullable Merging outer) {
        if (outer == null) {
            INNERMOST.remove();
        } else {
            INNERMOST.set(outer);
        }
    }

    /** The owner's copy has an id at this point, even if the owner is new. */
    @SuppressWarnings("ReferenceEquality") // a session equals only itself
    private ShardContext.@Nullable Scope open(MergeEvent event, MergeContext copied, @Nullable Merging outer) {
        if (outer == null || outer.session() != event.getSession()) {
            return null;
        }
        Object original = Hibernate.unproxy(outer.original());
        Object copy = copied.get(original);
        if (copy == null) {
            return null;
        }
        EventSource session = event.getSession();
        Object saved = Hibernate.unproxy(copy);
        ShardContext.Scope ofCollection = scopes.openWith(session, saved, event.getEntityName(), event.getOriginal());
        return ofCollection != null
                ? ofCollection
                : scopes.openOfReferring(session, original, saved, event.getEntityName(), event.getOriginal());
    }
}
