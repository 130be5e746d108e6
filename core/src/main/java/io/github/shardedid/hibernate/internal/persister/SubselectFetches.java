package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.hibernate.internal.target.EntityRouting;
import org.hibernate.engine.spi.BatchFetchQueue;
import org.hibernate.engine.spi.EntityKey;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.SubselectFetch;
import org.hibernate.persister.collection.CollectionPersister;

/**
 * Fetching by subselect repeats the query that has loaded the owners. If that was one over several shards, the collections
 * of those in other shards would be taken for loaded and empty.
 */
final class SubselectFetches {
    private SubselectFetches() {}

    /** Makes a collection be loaded by itself if its owner came together with owners in other shards. */
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
                        .anyMatch(other -> !routing.inOneShard(owner, other.getIdentifier()))) {
            queue.removeSubselect(key);
        }
    }
}
