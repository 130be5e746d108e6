package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.internal.target.Sharding;
import io.github.shardedid.routing.ShardContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.hibernate.boot.Metadata;
import org.hibernate.engine.spi.PersistenceContext;
import org.hibernate.event.spi.EventSource;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.ManyToOne;
import org.hibernate.mapping.OneToMany;
import org.hibernate.mapping.Value;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.proxy.HibernateProxy;
import org.jspecify.annotations.Nullable;

/**
 * The collections through which sharded entities without a shard key are saved by cascade. Such a row knows nothing of its
 * owner, yet it lives with it: the owner's shard is the scope in which it is saved. Immutable.
 */
public final class CascadeOwners {
    static final CascadeOwners NONE = new CascadeOwners(Map.of());

    private final Map<String, List<Role>> byElement;

    /** A collection attribute of an entity. */
    private record Role(String owner, String attribute) {}

    private CascadeOwners(Map<String, List<Role>> byElement) {
        this.byElement = byElement;
    }

    /**
     * Reads them.
     *
     * @param wanted which entities are sharded and have no shard key
     * @param sharded which entities are sharded
     */
    static CascadeOwners read(Metadata metadata, Predicate<String> wanted, Predicate<String> sharded) {
        Map<String, List<Role>> byElement = new HashMap<>();
        for (Collection collection : metadata.getCollectionBindings()) {
            String owner = collection.getOwnerEntityName();
            String element = elementOf(collection.getElement());
            if (element != null && wanted.test(element) && sharded.test(owner)) {
                String attribute = collection.getRole().substring(owner.length() + 1);
                byElement.computeIfAbsent(element, name -> new ArrayList<>()).add(new Role(owner, attribute));
            }
        }
        return new CascadeOwners(byElement);
    }

    private static @Nullable String elementOf(@Nullable Value element) {
        if (element instanceof OneToMany many) {
            return many.getReferencedEntityName();
        }
        return element instanceof ManyToOne many ? many.getReferencedEntityName() : null;
    }

    /**
     * Opens the scope of the owner's shard around what happens to a row that is reached by cascade from a managed one.
     *
     * @return null if the row is not reached by cascade, has a shard key, or an owner whose shard is not known
     */
    public ShardContext.@Nullable Scope open(
            Sharding sharding, EventSource session, @Nullable String entityName, Object entity) {
        PersistenceContext context = session.getPersistenceContextInternal();
        if (byElement.isEmpty() || context.getCascadeLevel() == 0 || entity instanceof HibernateProxy) {
            return null;
        }
        for (Role role : rolesOf(session, entityName, entity)) {
            Object owner = context.getOwnerId(role.owner(), role.attribute(), entity, Map.of());
            if (owner != null) {
                return scopeOf(sharding, owner);
            }
        }
        return null;
    }

    /** The same for a row that is reached from a certain owner. */
    public ShardContext.@Nullable Scope openWith(
            Sharding sharding, EventSource session, Object owner, @Nullable String entityName, Object entity) {
        if (byElement.isEmpty() || entity instanceof HibernateProxy) {
            return null;
        }
        EntityPersister persister = session.getEntityPersister(null, owner);
        for (Role role : rolesOf(session, entityName, entity)) {
            EntityPersister declaring =
                    session.getFactory().getMappingMetamodel().getEntityDescriptor(role.owner());
            if (declaring.isSubclassEntityName(persister.getEntityName())) {
                return scopeOf(sharding, persister.getIdentifier(owner, session));
            }
        }
        return null;
    }

    private List<Role> rolesOf(EventSource session, @Nullable String entityName, Object entity) {
        return byElement.getOrDefault(
                session.getEntityPersister(entityName, entity).getEntityName(), List.of());
    }

    private static ShardContext.@Nullable Scope scopeOf(Sharding sharding, @Nullable Object owner) {
        return owner instanceof Number id && id.longValue() != 0
                ? ShardContext.open(sharding.cluster().shardOf(id.longValue()))
                : null;
    }
}
