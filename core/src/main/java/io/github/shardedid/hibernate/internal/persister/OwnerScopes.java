package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.routing.RowShards;
import io.github.shardedid.hibernate.internal.routing.RowTargets;
import io.github.shardedid.hibernate.internal.routing.ShardChoice;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.hibernate.Hibernate;
import org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer;
import org.hibernate.engine.spi.CascadeStyle;
import org.hibernate.engine.spi.CascadingActions;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.Status;
import org.hibernate.event.spi.DeleteContext;
import org.hibernate.event.spi.DeleteEvent;
import org.hibernate.event.spi.DeleteEventListener;
import org.hibernate.event.spi.EventSource;
import org.hibernate.event.spi.MergeContext;
import org.hibernate.event.spi.MergeEvent;
import org.hibernate.event.spi.MergeEventListener;
import org.hibernate.event.spi.PersistContext;
import org.hibernate.event.spi.PersistEvent;
import org.hibernate.event.spi.PersistEventListener;
import org.hibernate.event.spi.ReplicateEvent;
import org.hibernate.event.spi.ReplicateEventListener;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.proxy.LazyInitializer;
import org.hibernate.type.CollectionType;
import org.hibernate.type.ComponentType;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * Opens the scope of an owner's shard around the save of a row that is reached by cascade and has no shard key, and that of the shard key
 * around the save or removal of a row whose id names no shard. Safe for use by several threads.
 *
 * <p>Hibernate generates the id of a row when it is persisted, so the shard has to be known at that time. An entity
 * without a shard key that is saved by a cascade from its owner would get the shard of the placement, and then the
 * association between the two would be refused at the flush. The row from which a cascade has come is no argument
 * of Hibernate's events, therefore:
 *
 * <ol>
 *   <li>While a row is persisted or merged, it is remembered for the thread, so that the rows reached from it find
 *       it.
 *   <li>If a flush reaches a new row, the managed row that refers to it is looked for.
 *   <li>The shard of that row, by its id or by its own shard key, is opened as the scope of the save.
 * </ol>
 *
 * <p>Scopes are opened only around Hibernate's own listener, and closed also if it fails.
 */
public record OwnerScopes(Sharding sharding) {
    /**
     * Opens the scope of the shard of a row whose id names none; null if it is not known, or the id names it.
     * The session must not have rows of the same table in another shard, if their ids may be equal.
     */
    private ShardContext.@Nullable Scope openOfKey(EventSource session, @Nullable String entityName, Object entity) {
        if (!sharding.mappings().hasOwnIds()) {
            return null;
        }
        LazyInitializer reference = HibernateProxy.extractLazyInitializer(entity);
        ShardedMapping own = sharding.mappings()
                .findOwnId(
                        reference != null
                                ? reference.getEntityName()
                                : session.getEntityPersister(entityName, entity).getEntityName());
        Integer shard =
                own == null ? null : new ShardChoice(sharding, session.getFactory(), session).ofRow(own, entity);
        if (own == null || shard == null) {
            return null;
        }
        new RowShards(sharding).keepToOne(session, own, shard);
        return RoutedScope.open(shard);
    }

    /**
     * Opens the scope of the row from which a new row is reached, if the new row has no shard key.
     *
     * @param owner that row; null if there is none
     * @param saved the same row, or the managed copy of a merged row, which has the id
     */
    private ShardContext.@Nullable Scope openOfOwner(
            EventSource session, @Nullable Object owner, @Nullable Object saved) {
        if (owner == null || saved == null || !Hibernate.isInitialized(owner)) {
            return null;
        }
        EntityPersister persister = session.getEntityPersister(null, owner);
        ShardedMapping mapping = sharding.mappings().find(persister.getEntityName());
        Object id = mapping == null || !mapping.idNamesShard() ? null : persister.getIdentifier(saved, session);
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
     *
     * <p>It looks at all entities of the session, but only for new rows without a shard key, which are saved by the
     * cascade of a flush.
     */
    private static @Nullable Object ownerInFlush(EventSource session, Object entity) {
        for (Map.Entry<Object, EntityEntry> managed :
                session.getPersistenceContextInternal().reentrantSafeEntityEntries()) {
            if (managed.getValue().getStatus() == Status.MANAGED && cascades(session, managed.getKey(), entity)) {
                return managed.getKey();
            }
        }
        return null;
    }

    /** Returns whether a row refers to an entity by an attribute whose persist is cascaded. */
    private static boolean cascades(EventSource session, Object owner, Object entity) {
        EntityPersister persister = session.getEntityPersister(null, owner);
        Type[] types = persister.getPropertyTypes();
        for (int i = 0; i < types.length; i++) {
            if (cascades(
                    session, types[i], persister.getPropertyCascadeStyles()[i], persister.getValue(owner, i), entity)) {
                return true;
            }
        }
        return false;
    }

    @SuppressWarnings("ReferenceEquality") // Hibernate saves this very object
    private static boolean cascades(
            EventSource session, Type type, CascadeStyle style, @Nullable Object value, Object entity) {
        if (value == null || value == LazyPropertyInitializer.UNFETCHED_PROPERTY) {
            return false;
        } else if (type instanceof ComponentType component) {
            return IntStream.range(0, component.getSubtypes().length)
                    .anyMatch(i -> cascades(
                            session,
                            component.getSubtypes()[i],
                            component.getCascadeStyle(i),
                            component.getPropertyValue(value, i),
                            entity));
        } else if (!style.doCascade(CascadingActions.PERSIST_ON_FLUSH)) {
            return false;
        } else if (type instanceof CollectionType collection) {
            Iterator<?> elements =
                    CascadingActions.PERSIST_ON_FLUSH.getCascadableChildrenIterator(session, collection, value);
            while (elements.hasNext()) {
                if (elements.next() == entity) {
                    return true;
                }
            }
            return false;
        }
        return value == entity;
    }

    /**
     * A row that is being saved: rows that are reached from it by cascade are saved while it is.
     *
     * <p>A thread works with one session at a time, but a listener may use another one within: the row of another
     * session is no owner.
     *
     * @param row as the application has passed it
     * @param session the session that saves it
     */
    private record Saving(EventSource session, Object row) {
        // Apart from each other, because the row of a merge is the original, and not the copy that is saved.
        private static final ThreadLocal<@Nullable Saving> PERSISTED = new ThreadLocal<>();
        private static final ThreadLocal<@Nullable Saving> MERGED = new ThreadLocal<>();

        /** Saves a row, and passes on the one from which this session has reached it; null if there is none. */
        @SuppressWarnings("ReferenceEquality") // a session equals only itself
        static void enter(
                ThreadLocal<@Nullable Saving> innermost,
                EventSource session,
                Object row,
                Consumer<@Nullable Object> save) {
            Saving outer = innermost.get();
            innermost.set(new Saving(session, row));
            try {
                save.accept(outer == null || outer.session != session ? null : outer.row);
            } finally {
                if (outer == null) {
                    innermost.remove();
                } else {
                    innermost.set(outer);
                }
            }
        }
    }

    /**
     * Persists rows that are reached by cascade in the shard of their owner.
     *
     * <p>The first call of the application has no owner. The calls that Hibernate makes for its cascade pass the
     * entities that they have reached before.
     */
    public record Persists(OwnerScopes scopes, PersistEventListener next) implements PersistEventListener {
        @Override
        public void onPersist(PersistEvent event) {
            Saving.enter(Saving.PERSISTED, event.getSession(), event.getObject(), none -> {
                try (ShardContext.Scope scope =
                        scopes.openOfKey(event.getSession(), event.getEntityName(), event.getObject())) {
                    next.onPersist(event);
                }
            });
        }

        @Override
        public void onPersist(PersistEvent event, PersistContext created) {
            Saving.enter(Saving.PERSISTED, event.getSession(), event.getObject(), from -> {
                // The scope of the row's own key comes last, so that it decides if both are known.
                try (ShardContext.Scope owner = open(event, from);
                        ShardContext.Scope key =
                                scopes.openOfKey(event.getSession(), event.getEntityName(), event.getObject())) {
                    next.onPersist(event, created);
                }
            });
        }

        private ShardContext.@Nullable Scope open(PersistEvent event, @Nullable Object from) {
            EventSource session = event.getSession();
            Object row = event.getObject();
            if (!scopes.needsOwner(session, event.getEntityName(), row)) {
                return null;
            }
            Object outer = from == null || !Hibernate.isInitialized(from) ? null : Hibernate.unproxy(from);
            // A flush may begin while another row is being saved.
            Object owner = outer != null && cascades(session, outer, row) ? outer : ownerInFlush(session, row);
            return scopes.openOfOwner(session, owner, owner);
        }
    }

    /** Merges rows that are reached by cascade in the shard of their owner. */
    public record Merges(OwnerScopes scopes, MergeEventListener next) implements MergeEventListener {
        @Override
        public void onMerge(MergeEvent event) {
            Saving.enter(Saving.MERGED, event.getSession(), event.getOriginal(), none -> {
                try (ShardContext.Scope key =
                        scopes.openOfKey(event.getSession(), event.getEntityName(), event.getOriginal())) {
                    next.onMerge(event);
                }
            });
        }

        @Override
        public void onMerge(MergeEvent event, MergeContext copied) {
            Saving.enter(Saving.MERGED, event.getSession(), event.getOriginal(), from -> {
                try (ShardContext.Scope owner = open(event, copied, from);
                        ShardContext.Scope key =
                                scopes.openOfKey(event.getSession(), event.getEntityName(), event.getOriginal())) {
                    next.onMerge(event, copied);
                }
            });
        }

        /** The owner's copy has an id at this point, even if the owner is new. */
        private ShardContext.@Nullable Scope open(MergeEvent event, MergeContext copied, @Nullable Object from) {
            Object original = from == null ? null : Hibernate.unproxy(from);
            Object copy = original == null ? null : copied.get(original);
            return copy == null || !scopes.needsOwner(event.getSession(), event.getEntityName(), event.getOriginal())
                    ? null
                    : scopes.openOfOwner(event.getSession(), original, Hibernate.unproxy(copy));
        }
    }

    /**
     * Deletes rows whose ids name no shard in that of their shard keys: the session may not know them yet.
     *
     * <p>For a detached row, nothing else says where it is.
     */
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

    /** Replicates rows whose ids name no shard in that of their shard keys, for the same reason. */
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
