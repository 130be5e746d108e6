package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.hibernate.HibernateException;
import org.hibernate.collection.spi.PersistentCollection;
import org.hibernate.engine.spi.CollectionEntry;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.EntityEntryExtraState;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.spi.PostLoadEvent;
import org.hibernate.event.spi.PostLoadEventListener;
import org.hibernate.persister.collection.CollectionPersister;
import org.jspecify.annotations.Nullable;

/**
 * Notes which rows of replicated tables a session has read from a copy, and refuses to write these. The copy may have been behind, so that
 * the write would undo what was committed since.
 *
 * <p>A row counts as read from a copy if it was loaded in the scope of a shard, or by a session that belongs to one.
 */
public record CopiedRows(ShardedMappings mappings) implements PostLoadEventListener {
    /** What is noted of a row; it ends with the entry of the session. */
    private static final class Origin implements EntityEntryExtraState {
        private @Nullable EntityEntryExtraState next;
        private boolean copied;

        @Override
        public void addExtraState(EntityEntryExtraState state) {
            if (next == null) {
                next = state;
            } else {
                next.addExtraState(state);
            }
        }

        @Override
        public <T extends EntityEntryExtraState> @Nullable T getExtraState(Class<T> type) {
            return type.isInstance(next) ? type.cast(next) : next == null ? null : next.getExtraState(type);
        }
    }

    @Override
    public void onPostLoad(PostLoadEvent event) {
        EntityEntry entry = mappings.isReplicated(event.getPersister().getEntityName())
                ? event.getSession().getPersistenceContextInternal().getEntry(event.getEntity())
                : null;
        if (entry == null) {
            return;
        }
        Origin origin = entry.getExtraState(Origin.class);
        if (origin == null) {
            origin = new Origin();
            entry.addExtraState(origin);
        }
        origin.copied = Sharding.connectionOf(event.getSession()).readsCopies();
    }

    /**
     * Returns the collections of rows of replicated tables that a query in the open scope would fetch from a copy, although their rows may
     * be of the global database.
     */
    public static List<PersistentCollection<?>> lazy(
            ShardedMappings mappings, SharedSessionContractImplementor session) {
        List<PersistentCollection<?>> lazy = new ArrayList<>();
        if (!mappings.replicated().isEmpty()
                && Sharding.connectionOf(session).readsCopies()
                && mappings.replicated().stream().anyMatch(entity -> session.getFactory()
                        .getMappingMetamodel()
                        .getEntityDescriptor(entity)
                        .hasOwnedCollections())) {
            session.getPersistenceContextInternal()
                    .forEachCollectionEntry(
                            (collection, entry) -> {
                                CollectionPersister persister = entry.getLoadedPersister();
                                if (persister != null
                                        && !collection.wasInitialized()
                                        && mappings.isReplicated(persister
                                                .getOwnerEntityPersister()
                                                .getEntityName())) {
                                    lazy.add(collection);
                                }
                            },
                            false);
        }
        return lazy;
    }

    /**
     * Notes that a query has fetched collections from a copy.
     *
     * @param later the tables of a query whose rows are read later: it may fetch all that have one of them
     */
    public static void fetched(
            List<PersistentCollection<?>> collections, Set<String> later, SharedSessionContractImplementor session) {
        for (PersistentCollection<?> collection : collections) {
            CollectionEntry known = session.getPersistenceContextInternal().getCollectionEntry(collection);
            CollectionPersister persister = known == null ? null : known.getLoadedPersister();
            boolean fetches = persister != null
                    && Arrays.stream(persister.getCollectionSpaces()).anyMatch(later::contains);
            EntityEntry entry = fetches || collection.wasInitialized()
                    ? session.getPersistenceContextInternal().getEntry(collection.getOwner())
                    : null;
            Origin origin = entry == null ? null : entry.getExtraState(Origin.class);
            if (origin != null) {
                origin.copied = true;
            }
        }
    }

    /** Returns whether a row was read from a copy, or is not in the session. */
    static boolean isCopied(SharedSessionContractImplementor session, String entityName, Object id) {
        Origin origin = origin(session, entityName, id);
        return origin == null || origin.copied;
    }

    private static @Nullable Origin origin(SharedSessionContractImplementor session, String entityName, Object id) {
        var persister = session.getFactory().getMappingMetamodel().getEntityDescriptor(entityName);
        Object entity = session.getPersistenceContextInternal().getEntity(session.generateEntityKey(id, persister));
        EntityEntry entry =
                entity == null ? null : session.getPersistenceContextInternal().getEntry(entity);
        return entry == null ? null : entry.getExtraState(Origin.class);
    }

    /**
     * Refuses to write a row, or a collection of it, that was read from a copy.
     *
     * @param id null for a new row
     */
    public static void check(SharedSessionContractImplementor session, String entityName, @Nullable Object id) {
        if (id == null) {
            return;
        }
        Origin origin = origin(session, entityName, id);
        if (origin != null && origin.copied) {
            throw new HibernateException(entityName + "#" + id
                    + " or a collection of it was read from the copy in the database of a shard, which may be behind the global database, and is not"
                    + " written. Read it in ShardContext.runGlobal(…) before.");
        }
    }
}
