package io.github.shardedid.hibernate.internal.persister;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.routing.RowTargets;
import io.github.shardedid.hibernate.internal.routing.ShardChoice;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.hibernate.Hibernate;
import org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer;
import org.hibernate.engine.spi.CascadeStyle;
import org.hibernate.engine.spi.CascadingActions;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.Status;
import org.hibernate.event.spi.EventSource;
import org.hibernate.event.spi.MergeContext;
import org.hibernate.event.spi.MergeEvent;
import org.hibernate.event.spi.MergeEventListener;
import org.hibernate.event.spi.PersistContext;
import org.hibernate.event.spi.PersistEvent;
import org.hibernate.event.spi.PersistEventListener;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.type.CollectionType;
import org.hibernate.type.ComponentType;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * Opens the scope of an owner's shard around the save of a row that is reached by cascade and has no shard key. Safe for use by several
 * threads.
 *
 * <p>Hibernate generates the id of a row when it is persisted, so the shard has to be known at that time. An entity
 * without a shard key that is saved by a cascade from its owner would get the shard of the placement, and then the
 * association between the two would be refused at the flush. The row from which a cascade has come is no argument
 * of Hibernate's events, therefore:
 *
 * <ol>
 *   <li>While a row is persisted or merged, it is remembered for the thread, so that the rows reached from it find
 *       it.
 *   <li>If a flush reaches a new row, the managed row that refers to it is looked for, in an index of all of them.
 *   <li>The shard of that row, by its id or by its own shard key, is opened as the scope of the save.
 * </ol>
 *
 * <p>Scopes are opened only around Hibernate's own listener, and closed also if it fails.
 */
public final class OwnerScopes {
    /** A thread saves rows of one session at a time, but a listener may use another one within. Null stays, since removing it would cost each row. */
    private static final ThreadLocal<@Nullable Saving> INNERMOST = new ThreadLocal<>();

    private final Sharding sharding;

    /** The managed rows by those to which they cascade, for each flush that reaches a new row without a shard key. */
    private final Cache<PersistContext, IdentityHashMap<Object, Object>> owners =
            Caffeine.newBuilder().weakKeys().build();

    public OwnerScopes(Sharding sharding) {
        this.sharding = sharding;
    }

    /**
     * Opens the scope of the row from which a new row is reached, if the new row has no shard key.
     *
     * @param from that row; null if there is none
     * @param saved the same row, or the managed copy of a merged row, which has the id
     */
    private ShardContext.@Nullable Scope openOfOwner(
            EventSource session, @Nullable Object from, @Nullable Object saved) {
        if (from == null || saved == null || !Hibernate.isInitialized(from)) {
            return null;
        }
        Object owner = Hibernate.unproxy(from);
        EntityPersister persister = session.getEntityPersister(null, owner);
        ShardedMapping mapping = sharding.mappings().find(persister.getEntityName());
        Object id = mapping == null || !mapping.idNamesShard()
                ? null
                : persister.getIdentifier(Hibernate.unproxy(saved), session);
        // A primitive id is 0 before it is generated.
        boolean unset = id instanceof Number number && number.longValue() == 0;
        Integer byId = unset ? null : RowTargets.shardOf(sharding, persister.getEntityName(), id);
        Integer shard = byId != null ? byId : new ShardChoice(sharding, session.getFactory(), session).ofNewKey(owner);
        return shard == null ? null : RoutedScope.open(shard);
    }

    /**
     * Returns whether a row is new, sharded, and has no shard key of its own. A proxy or a managed entity has
     * its shard already.
     */
    private boolean needsOwner(EventSource session, @Nullable String entityName, Object entity) {
        if (entity instanceof HibernateProxy
                || session.getPersistenceContextInternal().isEntryFor(entity)) {
            return false;
        }
        ShardedMapping mapping = sharding.mappings()
                .find(session.getEntityPersister(entityName, entity).getEntityName());
        return mapping != null && mapping.key() == null;
    }

    /**
     * Returns the managed row from which a flush reaches a new one, as Hibernate does not pass it on; null if there
     * is none.
     */
    private @Nullable Object ownerInFlush(EventSource session, PersistContext flush, Object entity) {
        return owners.get(flush, none -> {
                    IdentityHashMap<Object, Object> byChild = new IdentityHashMap<>();
                    for (Map.Entry<Object, EntityEntry> managed :
                            session.getPersistenceContextInternal().reentrantSafeEntityEntries()) {
                        Object owner = managed.getKey();
                        EntityPersister persister = managed.getValue().getPersister();
                        if (managed.getValue().getStatus() == Status.MANAGED) {
                            forEachChild(
                                    session,
                                    persister.getPropertyTypes(),
                                    persister.getPropertyCascadeStyles(),
                                    persister.getValues(owner),
                                    child -> byChild.putIfAbsent(child, owner));
                        }
                    }
                    return byChild;
                })
                .get(entity);
    }

    /** Passes on what a row refers to by attributes whose persist is cascaded. */
    private static void forEachChild(
            EventSource session, Type[] types, CascadeStyle[] styles, Object[] values, Consumer<Object> action) {
        for (int i = 0; i < types.length; i++) {
            Object value = values[i];
            if (value == null || value == LazyPropertyInitializer.UNFETCHED_PROPERTY) {
                continue;
            }
            if (types[i] instanceof ComponentType component) {
                CascadeStyle[] parts = IntStream.range(0, component.getSubtypes().length)
                        .mapToObj(component::getCascadeStyle)
                        .toArray(CascadeStyle[]::new);
                forEachChild(session, component.getSubtypes(), parts, component.getPropertyValues(value), action);
            } else if (styles[i].doCascade(CascadingActions.PERSIST_ON_FLUSH)) {
                if (types[i] instanceof CollectionType collection) {
                    CascadingActions.PERSIST_ON_FLUSH
                            .getCascadableChildrenIterator(session, collection, value)
                            .forEachRemaining(action);
                } else {
                    action.accept(value);
                }
            }
        }
    }

    /**
     * A row that is being saved: rows that are reached from it by cascade are saved while it is.
     *
     * <p>Each listener finds its own, because the row of a merge is the original, and not the copy that is saved, and
     * because a flush may begin while another row is being saved.
     */
    private final class Saving {
        private final Object listener;
        private final EventSource session;
        private final @Nullable Saving outer = INNERMOST.get();
        private final @Nullable String entityName;
        /** As the application has passed it. */
        private final Object row;

        Saving(Object listener, EventSource session, @Nullable String entityName, Object row) {
            this.listener = listener;
            this.session = session;
            this.entityName = entityName;
            this.row = row;
        }

        /** The row from which the session has reached this one; null if there is none: the row of another session is no owner. */
        @SuppressWarnings("ReferenceEquality") // a session equals only itself
        @Nullable
        Object from() {
            Saving from = outer;
            while (from != null && from.listener != listener) {
                from = from.outer;
            }
            return from != null && from.session == session ? from.row : null;
        }

        /**
         * Saves the row.
         *
         * @param ownerScope opens the scope of the owner; null if the application saves the row itself
         */
        void save(@Nullable Supplier<ShardContext.@Nullable Scope> ownerScope, Runnable next) {
            try (ShardContext.Scope owner =
                    ownerScope != null && needsOwner(session, entityName, row) ? ownerScope.get() : null) {
                INNERMOST.set(this);
                next.run();
            } finally {
                INNERMOST.set(outer);
            }
        }
    }

    /**
     * Persists rows that are reached by cascade in the shard of their owner. The first call of the application has no owner. The calls that
     * Hibernate makes for its cascade pass the entities that they have reached before.
     */
    public record Persists(OwnerScopes scopes, PersistEventListener next, boolean onFlush)
            implements PersistEventListener {
        private Saving saving(PersistEvent event) {
            return scopes.new Saving(this, event.getSession(), event.getEntityName(), event.getObject());
        }

        @Override
        public void onPersist(PersistEvent event) {
            saving(event).save(null, () -> next.onPersist(event));
        }

        @Override
        public void onPersist(PersistEvent event, PersistContext created) {
            Saving saving = saving(event);
            saving.save(
                    () -> {
                        Object from = saving.from();
                        Object owner = from == null && onFlush
                                ? scopes.ownerInFlush(saving.session, created, saving.row)
                                : from;
                        return scopes.openOfOwner(saving.session, owner, owner);
                    },
                    () -> next.onPersist(event, created));
        }
    }

    /** Merges rows that are reached by cascade in the shard of their owner. */
    public record Merges(OwnerScopes scopes, MergeEventListener next) implements MergeEventListener {
        private Saving saving(MergeEvent event) {
            return scopes.new Saving(this, event.getSession(), event.getEntityName(), event.getOriginal());
        }

        @Override
        public void onMerge(MergeEvent event) {
            saving(event).save(null, () -> next.onMerge(event));
        }

        /** The owner's copy has an id at this point, even if the owner is new. */
        @Override
        public void onMerge(MergeEvent event, MergeContext copied) {
            Saving saving = saving(event);
            saving.save(
                    () -> {
                        Object from = saving.from();
                        return from == null
                                ? null
                                : scopes.openOfOwner(saving.session, from, copied.get(Hibernate.unproxy(from)));
                    },
                    () -> next.onMerge(event, copied));
        }
    }
}
