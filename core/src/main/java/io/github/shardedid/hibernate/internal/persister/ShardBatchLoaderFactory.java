package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.hibernate.internal.routing.EntityRouting;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.hibernate.collection.spi.PersistentCollection;
import org.hibernate.engine.spi.BatchFetchQueue;
import org.hibernate.engine.spi.CollectionEntry;
import org.hibernate.engine.spi.EntityKey;
import org.hibernate.engine.spi.LoadQueryInfluencers;
import org.hibernate.engine.spi.PersistenceContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.SubselectFetch;
import org.hibernate.loader.ast.internal.EntityBatchLoaderArrayParam;
import org.hibernate.loader.ast.internal.EntityBatchLoaderInPredicate;
import org.hibernate.loader.ast.internal.StandardBatchLoaderFactory;
import org.hibernate.loader.ast.spi.CollectionBatchLoader;
import org.hibernate.loader.ast.spi.EntityBatchLoader;
import org.hibernate.metamodel.mapping.EntityMappingType;
import org.hibernate.metamodel.mapping.PluralAttributeMapping;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Batch fetching within one shard. Hibernate would put ids of several shards into one statement, and then take the collections of
 * the other shards for loaded and empty.
 *
 * <p>For entities, Hibernate's loaders have a method that selects the ids of a batch, which is overridden. For
 * collections, that method is not accessible: so collections of other shards are taken out of the session's queue
 * while a batch is loaded, and put back.
 */
public final class ShardBatchLoaderFactory extends StandardBatchLoaderFactory {
    /**
     * The number of waiting ids that are looked at. With rows of many shards, the first ones in the queue may
     * all be in others; those beyond this limit are loaded by a later batch.
     */
    private static final int MAX_WAITING = 1024;

    private final Sharding sharding;

    public ShardBatchLoaderFactory(
            Map<String, Object> settings, ServiceRegistryImplementor registry, Sharding sharding) {
        super(settings, registry);
        this.sharding = sharding;
    }

    @Override
    public <T> EntityBatchLoader<T> createEntityBatchLoader(
            int batchSize, EntityMappingType entity, LoadQueryInfluencers influencers) {
        EntityRouting routing = new EntityRouting(sharding, entity.getEntityName());
        EntityBatchLoader<T> standard = super.createEntityBatchLoader(batchSize, entity, influencers);
        if (standard instanceof EntityBatchLoaderInPredicate) {
            return new EntityBatchLoaderInPredicate<>(batchSize, entity, influencers) {
                @Override
                protected Object[] resolveIdsToInitialize(Object id, SharedSessionContractImplementor session) {
                    return ofSameShard(routing, batchSize, id, waiting(getLoadable(), id, session), session);
                }
            };
        }
        return standard instanceof EntityBatchLoaderArrayParam
                ? new EntityBatchLoaderArrayParam<>(batchSize, entity, influencers) {
                    @Override
                    protected Object[] resolveIdsToInitialize(Object id, SharedSessionContractImplementor session) {
                        return ofSameShard(routing, batchSize, id, waiting(getLoadable(), id, session), session);
                    }
                }
                : standard;
    }

    /** The ids that wait to be loaded: more than a batch contains, because those of other shards are left out. */
    private static List<@Nullable Object> waiting(
            EntityMappingType entity, Object id, SharedSessionContractImplementor session) {
        // As long as there are ids: most loads find few that wait, and an array of that many would cost each of them.
        List<@Nullable Object> ids = new ArrayList<>();
        session.getPersistenceContextInternal()
                .getBatchFetchQueue()
                .collectBatchLoadableEntityIds(
                        MAX_WAITING,
                        (index, value) -> {
                            while (ids.size() <= index) {
                                ids.add(null);
                            }
                            ids.set(index, value);
                        },
                        id,
                        entity);
        return ids;
    }

    /**
     * Returns the ids of a batch: the given one, which is first, as Hibernate needs it, and as many others of
     * its shard as fit.
     */
    private static Object[] ofSameShard(
            EntityRouting routing,
            int batchSize,
            Object id,
            List<@Nullable Object> waiting,
            SharedSessionContractImplementor session) {
        Stream<Object> others = waiting.stream()
                .filter(other -> other != null && !other.equals(id) && routing.inOneShard(id, other, session));
        return Stream.concat(Stream.of(id), others).limit(batchSize).toArray(size ->
                (Object[]) Array.newInstance(id.getClass(), size));
    }

    @Override
    public CollectionBatchLoader createCollectionBatchLoader(
            int batchSize,
            LoadQueryInfluencers influencers,
            PluralAttributeMapping attribute,
            SessionFactoryImplementor factory) {
        CollectionBatchLoader standard = super.createCollectionBatchLoader(batchSize, influencers, attribute, factory);
        String owner =
                attribute.getCollectionDescriptor().getOwnerEntityPersister().getEntityName();
        return new ShardCollectionBatchLoader(standard, new EntityRouting(sharding, owner));
    }

    /** Removes the collections of other shards from the queue while a batch is loaded. */
    record ShardCollectionBatchLoader(CollectionBatchLoader target, EntityRouting routing)
            implements CollectionBatchLoader {
        @Override
        public @Nullable PersistentCollection<?> load(Object key, SharedSessionContractImplementor session) {
            if (!routing.isSharded()) {
                return target.load(key, session);
            }
            PersistenceContext context = session.getPersistenceContextInternal();
            BatchFetchQueue queue = context.getBatchFetchQueue();
            Map<CollectionEntry, PersistentCollection<?>> removed = new LinkedHashMap<>();
            context.forEachCollectionEntry(
                    (collection, entry) -> {
                        if (isInOtherShard(collection, entry, key, session)) {
                            queue.removeBatchLoadableCollection(entry);
                            removed.put(entry, collection);
                        }
                    },
                    true);
            try {
                return target.load(key, session);
            } finally {
                // Also after a failure, because the session may go on. What has been loaded meanwhile must not wait
                // again.
                removed.forEach((entry, collection) -> {
                    if (!collection.wasInitialized()) {
                        queue.addBatchLoadableCollection(collection, entry);
                    }
                });
            }
        }

        private boolean isInOtherShard(
                PersistentCollection<?> collection,
                CollectionEntry entry,
                Object key,
                SharedSessionContractImplementor session) {
            return !collection.wasInitialized()
                    && entry.getLoadedPersister() == getLoadable().getCollectionDescriptor()
                    && entry.getLoadedKey() != null
                    && !routing.inOneShard(key, entry.getLoadedKey(), session);
        }

        @Override
        public PluralAttributeMapping getLoadable() {
            return target.getLoadable();
        }

        @Override
        public int getDomainBatchSize() {
            return target.getDomainBatchSize();
        }
    }

    /**
     * Keeps subselect fetching within one shard. It repeats the query that loaded the owners; after a query over several shards,
     * Hibernate would take the collections of owners in other shards for loaded and empty.
     *
     * <p>The query would have to be split by shards, and it has been executed already; so the collection is loaded
     * by its owner's id instead.
     */
    static final class SubselectFetches {
        private SubselectFetches() {}

        /** Loads a collection by itself if its owner was loaded together with owners in other shards. */
        static void keepToOneShard(
                EntityRouting routing,
                CollectionPersister persister,
                Object owner,
                SharedSessionContractImplementor session) {
            if (!routing.isSharded()) {
                return;
            }
            BatchFetchQueue queue = session.getPersistenceContextInternal().getBatchFetchQueue();
            EntityKey key = session.generateEntityKey(owner, persister.getOwnerEntityPersister());
            SubselectFetch subselect = queue.getSubselect(key);
            if (subselect != null
                    && subselect.getResultingEntityKeys().stream()
                            .anyMatch(other -> !routing.inOneShard(owner, other.getIdentifier(), session))) {
                queue.removeSubselect(key);
            }
        }
    }
}
