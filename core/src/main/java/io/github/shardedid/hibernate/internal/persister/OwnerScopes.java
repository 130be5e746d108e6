package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.hibernate.internal.mapping.CascadeOwners;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.routing.RowShards;
import io.github.shardedid.hibernate.internal.routing.RowState;
import io.github.shardedid.hibernate.internal.routing.RowTargets;
import io.github.shardedid.hibernate.internal.routing.ShardChoice;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.hibernate.Hibernate;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.PersistenceContext;
import org.hibernate.engine.spi.Status;
import org.hibernate.event.spi.DeleteContext;
import org.hibernate.event.spi.DeleteEvent;
import org.hibernate.event.spi.DeleteEventListener;
import org.hibernate.event.spi.EventSource;
import org.hibernate.event.spi.LockEvent;
import org.hibernate.event.spi.LockEventListener;
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
import org.jspecify.annotations.Nullable;

/**
 * Opens the scope of an owner's shard around the save of a row that is reached by cascade and has no shard key, and that of the shard key
 * around the work on a row whose id names no shard. Safe for use by several threads.
 */
public record OwnerScopes(Sharding sharding) {
    /**
     * Opens the scope of the managed entity whose collection contains the row.
     *
     * @return null if the row is not reached by cascade, has a shard key, or has an owner without a known shard
     */
    ShardContext.@Nullable Scope open(EventSource session, @Nullable String entityName, Object entity) {
        PersistenceContext context = session.getPersistenceContextInternal();
        if (owners().isEmpty() || context.getCascadeLevel() == 0 || entity instanceof HibernateProxy) {
            return null;
        }
        for (CascadeOwners.Role role : rolesOf(session, entityName, entity)) {
            Object owner = context.getOwnerId(role.owner(), role.attribute(), entity, Map.of());
            if (owner != null) {
                return scopeOf(session, role.owner(), owner);
            }
        }
        return null;
    }

    /**
     * Opens the scope of the shard that a composite id names, for the generators of its other parts, or that the shard key names, if the
     * id does not: Hibernate then reads and generates ids there. Null if there is nothing to read or to generate.
     */
    ShardContext.@Nullable Scope openOfId(EventSource session, @Nullable String entityName, Object entity) {
        ShardContext.Scope key = openOfKey(session, entityName, entity);
        if (key != null) {
            return key;
        }
        if (entity instanceof HibernateProxy) {
            return null;
        }
        ShardedMapping mapping = sharding.mappings()
                .find(session.getEntityPersister(entityName, entity).getEntityName());
        boolean generated =
                mapping != null && mapping.idPart() != null && mapping.idPart().generated();
        return generated && !session.getPersistenceContextInternal().isEntryFor(entity)
                ? RoutedScope.open(ShardChoice.shardOf(sharding, entity, session.getFactory()))
                : null;
    }

    /** Opens the scope of the shard of a row whose id names none; null if it is not known, or the id names it. */
    ShardContext.@Nullable Scope openOfKey(EventSource session, @Nullable String entityName, Object entity) {
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

    /** Opens the scope of the given owner, from which the row is reached. */
    ShardContext.@Nullable Scope openWith(
            EventSource session, Object owner, @Nullable String entityName, Object entity) {
        if (owners().isEmpty() || entity instanceof HibernateProxy) {
            return null;
        }
        EntityPersister persister = session.getEntityPersister(null, owner);
        for (CascadeOwners.Role role : rolesOf(session, entityName, entity)) {
            EntityPersister declaring =
                    session.getFactory().getMappingMetamodel().getEntityDescriptor(role.owner());
            if (declaring.isSubclassEntityName(persister.getEntityName())) {
                return scopeOf(session, role.owner(), persister.getIdentifier(owner, session));
            }
        }
        return null;
    }

    /**
     * Opens the scope of the row whose to-one association refers to the new row: Hibernate saves the new row first.
     *
     * @param owner the row from which the new row is reached; null if it is looked for among the managed entities, as in a flush
     * @param saved the same row, or the managed copy of a merged row, which has the id
     */
    ShardContext.@Nullable Scope openOfReferring(
            EventSource session,
            @Nullable Object owner,
            @Nullable Object saved,
            @Nullable String entityName,
            Object entity) {
        PersistenceContext context = session.getPersistenceContextInternal();
        if (owners().byTarget().isEmpty() || entity instanceof HibernateProxy || context.isEntryFor(entity)) {
            return null;
        }
        List<CascadeOwners.Role> roles =
                owners().toOnes(session.getEntityPersister(entityName, entity).getEntityName());
        if (roles.isEmpty()) {
            return null;
        }
        if (owner != null && saved != null) {
            return refers(session, owner, roles, entity) ? openOfOwner(session, owner, saved) : null;
        }
        for (Map.Entry<Object, EntityEntry> managed : context.reentrantSafeEntityEntries()) {
            Object row = managed.getKey();
            if (managed.getValue().getStatus() == Status.MANAGED && refers(session, row, roles, entity)) {
                return openOfOwner(session, row, row);
            }
        }
        return null;
    }

    @SuppressWarnings("ReferenceEquality") // Hibernate saves this very object
    private static boolean refers(EventSource session, Object owner, List<CascadeOwners.Role> roles, Object entity) {
        if (!Hibernate.isInitialized(owner)) {
            return false;
        }
        EntityPersister persister = session.getEntityPersister(null, owner);
        return roles.stream()
                .anyMatch(role -> session.getFactory()
                                .getMappingMetamodel()
                                .getEntityDescriptor(role.owner())
                                .isSubclassEntityName(persister.getEntityName())
                        && RowState.value(persister, owner, role.attribute()) == entity);
    }

    /** By its id or, before it has one, by its shard key. */
    private ShardContext.@Nullable Scope openOfOwner(EventSource session, Object owner, Object saved) {
        EntityPersister persister = session.getEntityPersister(null, owner);
        ShardContext.Scope byId = scopeOf(session, persister.getEntityName(), persister.getIdentifier(saved, session));
        if (byId != null) {
            return byId;
        }
        Integer byKey = new ShardChoice(sharding, session.getFactory(), session).ofNewKey(owner);
        return byKey == null ? null : RoutedScope.open(byKey);
    }

    private CascadeOwners owners() {
        return sharding.mappings().cascadeOwners();
    }

    private List<CascadeOwners.Role> rolesOf(EventSource session, @Nullable String entityName, Object entity) {
        return owners().of(session.getEntityPersister(entityName, entity).getEntityName());
    }

    private ShardContext.@Nullable Scope scopeOf(EventSource session, String entity, @Nullable Object owner) {
        boolean unset = owner instanceof Number id && id.longValue() == 0;
        ShardedMapping own = owner == null ? null : sharding.mappings().findOwnId(entity);
        Integer shard = own != null && owner != null
                ? new RowShards(sharding).find(session, own, owner)
                : unset ? null : RowTargets.shardOf(sharding, entity, owner);
        return shard == null ? null : RoutedScope.open(shard);
    }

    /**
     * A row that is being saved: rows that are reached from it by cascade are saved while it is.
     *
     * @param row as the application has passed it
     */
    private record Saving(EventSource session, Object row) {
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

    /** Persists rows that are reached by cascade in the shard of their owner. The persistence context knows the owners of collections only. */
    public record Persists(OwnerScopes scopes, PersistEventListener next) implements PersistEventListener {
        @Override
        public void onPersist(PersistEvent event) {
            Saving.enter(Saving.PERSISTED, event.getSession(), event.getObject(), none -> {
                try (ShardContext.Scope scope =
                        scopes.openOfId(event.getSession(), event.getEntityName(), event.getObject())) {
                    next.onPersist(event);
                }
            });
        }

        @Override
        public void onPersist(PersistEvent event, PersistContext created) {
            Saving.enter(Saving.PERSISTED, event.getSession(), event.getObject(), from -> {
                try (ShardContext.Scope owner = open(event, from);
                        ShardContext.Scope id =
                                scopes.openOfId(event.getSession(), event.getEntityName(), event.getObject())) {
                    next.onPersist(event, created);
                }
            });
        }

        private ShardContext.@Nullable Scope open(PersistEvent event, @Nullable Object owner) {
            EventSource session = event.getSession();
            ShardContext.Scope ofCollection = scopes.open(session, event.getEntityName(), event.getObject());
            if (ofCollection != null) {
                return ofCollection;
            }
            Object row = owner == null || !Hibernate.isInitialized(owner) ? null : Hibernate.unproxy(owner);
            return scopes.openOfReferring(session, row, row, event.getEntityName(), event.getObject());
        }
    }

    /** Merges rows that are reached by cascade in the shard of their owner, which the persistence context does not know if it is detached. */
    public record Merges(OwnerScopes scopes, MergeEventListener next) implements MergeEventListener {
        @Override
        public void onMerge(MergeEvent event) {
            Saving.enter(Saving.MERGED, event.getSession(), event.getOriginal(), none -> {
                try (ShardContext.Scope id =
                        scopes.openOfId(event.getSession(), event.getEntityName(), event.getOriginal())) {
                    next.onMerge(event);
                }
            });
        }

        @Override
        public void onMerge(MergeEvent event, MergeContext copied) {
            Saving.enter(Saving.MERGED, event.getSession(), event.getOriginal(), from -> {
                try (ShardContext.Scope owner = open(event, copied, from);
                        ShardContext.Scope id =
                                scopes.openOfId(event.getSession(), event.getEntityName(), event.getOriginal())) {
                    next.onMerge(event, copied);
                }
            });
        }

        /** The owner's copy has an id at this point, even if the owner is new. */
        private ShardContext.@Nullable Scope open(MergeEvent event, MergeContext copied, @Nullable Object owner) {
            Object original = owner == null ? null : Hibernate.unproxy(owner);
            Object copy = original == null ? null : copied.get(original);
            if (copy == null) {
                return null;
            }
            EventSource session = event.getSession();
            Object saved = Hibernate.unproxy(copy);
            ShardContext.Scope ofCollection =
                    scopes.openWith(session, saved, event.getEntityName(), event.getOriginal());
            return ofCollection != null
                    ? ofCollection
                    : scopes.openOfReferring(session, original, saved, event.getEntityName(), event.getOriginal());
        }
    }

    /** Deletes rows whose ids name no shard in that of their shard keys: the session may not know them yet. */
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

    /** Locks such rows. */
    public record Locks(OwnerScopes scopes, LockEventListener next) implements LockEventListener {
        @Override
        public void onLock(LockEvent event) {
            try (ShardContext.Scope key =
                    scopes.openOfKey(event.getSession(), event.getEntityName(), event.getObject())) {
                next.onLock(event);
            }
        }
    }

    /** Replicates such rows. */
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
