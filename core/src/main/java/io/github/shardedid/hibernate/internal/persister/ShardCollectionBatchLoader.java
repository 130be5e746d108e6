package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.hibernate.internal.routing.EntityRouting;
import java.util.LinkedHashMap;
import java.util.Map;
import org.hibernate.collection.spi.PersistentCollection;
import org.hibernate.engine.spi.BatchFetchQueue;
import org.hibernate.engine.spi.CollectionEntry;
import org.hibernate.engine.spi.PersistenceContext;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.loader.ast.spi.CollectionBatchLoader;
import org.hibernate.metamodel.mapping.PluralAttributeMapping;
import org.jspecify.annotations.Nullable;

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
