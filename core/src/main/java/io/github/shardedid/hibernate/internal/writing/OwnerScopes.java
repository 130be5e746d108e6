package io.github.shardedid.hibernate.internal.writing;

import io.github.shardedid.hibernate.internal.mapping.CascadeOwners;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.routing.IdShards;
import io.github.shardedid.hibernate.internal.routing.RowShards;
import io.github.shardedid.hibernate.internal.routing.RowState;
import io.github.shardedid.hibernate.internal.routing.ShardChoice;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import java.util.List;
import java.util.Map;
import org.hibernate.Hibernate;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.PersistenceContext;
import org.hibernate.engine.spi.Status;
import org.hibernate.event.spi.EventSource;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.proxy.LazyInitializer;
import org.jspecify.annotations.Nullable;

/** Opens the scope of an owner's shard around the save of a row that is reached by cascade and has no shard key. */
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
                : unset ? null : IdShards.shardOf(sharding, entity, owner);
        return shard == null ? null : RoutedScope.open(shard);
    }
}
