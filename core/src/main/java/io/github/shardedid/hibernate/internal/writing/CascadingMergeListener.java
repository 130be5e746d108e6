package io.github.shardedid.hibernate.internal.writing;

import io.github.shardedid.hibernate.internal.target.Sharding;
import io.github.shardedid.routing.ShardContext;
import org.hibernate.Hibernate;
import org.hibernate.event.spi.EventSource;
import org.hibernate.event.spi.MergeContext;
import org.hibernate.event.spi.MergeEvent;
import org.hibernate.event.spi.MergeEventListener;
import org.jspecify.annotations.Nullable;

/**
 * Merges what is reached by cascade in the shard of the owner that it is reached from. The owner may be detached, so that the
 * persistence context does not know it. Safe for use by several threads.
 */
public final class CascadingMergeListener implements MergeEventListener {
    private final Sharding sharding;
    private final MergeEventListener next;
    private static final ThreadLocal<@Nullable Merging> INNERMOST = new ThreadLocal<>();

    /** A row that is being merged, within another one perhaps. */
    private record Merging(EventSource session, Object original, @Nullable Merging outer) {}

    public CascadingMergeListener(Sharding sharding, MergeEventListener next) {
        this.sharding = sharding;
        this.next = next;
    }

    @Override
    public void onMerge(MergeEvent event) {
        Merging outer = enter(event);
        try {
            next.onMerge(event);
        } finally {
            restore(outer);
        }
    }

    @Override
    public void onMerge(MergeEvent event, MergeContext copied) {
        Merging outer = enter(event);
        try (ShardContext.Scope scope = open(event, copied, outer)) {
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

    /** The owner's copy has its id by now, also where the owner is new. */
    @SuppressWarnings("ReferenceEquality") // a session is itself only
    private ShardContext.@Nullable Scope open(MergeEvent event, MergeContext copied, @Nullable Merging outer) {
        if (outer == null || outer.session() != event.getSession()) {
            return null;
        }
        Object copy = copied.get(Hibernate.unproxy(outer.original()));
        // A copy that the session knew as a proxy is loaded by now.
        return copy == null
                ? null
                : sharding.mappings()
                        .cascadeOwners()
                        .openWith(
                                sharding,
                                event.getSession(),
                                Hibernate.unproxy(copy),
                                event.getEntityName(),
                                event.getOriginal());
    }
}
