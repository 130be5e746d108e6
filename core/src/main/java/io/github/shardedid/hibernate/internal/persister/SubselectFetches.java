package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.hibernate.internal.routing.EntityRouting;
import org.hibernate.engine.spi.BatchFetchQueue;
import org.hibernate.engine.spi.EntityKey;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.SubselectFetch;
import org.hibernate.persister.collection.CollectionPersister;

/**
 * Keeps subselect fetching within one shard. It repeats the query that loaded the owners; after a query over several shards,
 * Hibernate would take the collections of owners in other shards for loaded and empty.
 */
final class SubselectFetches {
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
