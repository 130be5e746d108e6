package io.github.shardedid.hibernate.internal.persister;

import org.hibernate.mapping.Collection;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.persister.internal.StandardPersisterClassResolver;

/** Selects the routed persisters. */
public final class RoutedPersisterResolver extends StandardPersisterClassResolver {
    @Override
    public Class<? extends EntityPersister> singleTableEntityPersister() {
        return RoutedSingleTablePersister.class;
    }

    @Override
    public Class<? extends EntityPersister> joinedSubclassEntityPersister() {
        return RoutedJoinedPersister.class;
    }

    @Override
    public Class<? extends EntityPersister> unionSubclassEntityPersister() {
        return RoutedUnionPersister.class;
    }

    @Override
    public Class<? extends CollectionPersister> getCollectionPersisterClass(Collection metadata) {
        return metadata.isOneToMany() ? RoutedOneToManyPersister.class : RoutedBasicCollectionPersister.class;
    }
}
