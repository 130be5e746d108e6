package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.hibernate.internal.mapping.RowReference.ReferenceType;
import io.github.shardedid.hibernate.internal.persister.ShardBatchLoaderFactory.SubselectFetches;
import io.github.shardedid.hibernate.internal.routing.EntityRouting;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import org.hibernate.cache.spi.access.CollectionDataAccess;
import org.hibernate.collection.spi.PersistentCollection;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.mapping.Collection;
import org.hibernate.metamodel.spi.RuntimeModelCreationContext;
import org.hibernate.persister.collection.BasicCollectionPersister;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

/** Routes an element collection or a join table by the id of its owner. */
public class RoutedBasicCollectionPersister extends BasicCollectionPersister {
    private final EntityRouting routing;

    /** Null if the elements are no references to rows of other databases. */
    private final @Nullable ReferenceType references;

    public RoutedBasicCollectionPersister(
            Collection mapping, @Nullable CollectionDataAccess cache, RuntimeModelCreationContext context) {
        super(mapping, cache, context);
        routing = new EntityRouting(Sharding.require(context.getSessionFactory()), mapping.getOwnerEntityName());
        references = ReferenceType.of(super.getElementType(), context.getTypeConfiguration());
    }

    @Override
    public Type getElementType() {
        return references == null ? super.getElementType() : references;
    }

    @Override
    public void initialize(Object owner, SharedSessionContractImplementor session) {
        SubselectFetches.keepToOneShard(routing, this, owner, session);
        routing.initialize(this, owner, session, () -> super.initialize(owner, session));
    }

    private void requireSaved(
            PersistentCollection<?> collection, boolean recreated, SharedSessionContractImplementor session) {
        if (references != null) {
            references.requireSaved(collection, recreated, this, session);
        }
    }

    @Override
    public void recreate(PersistentCollection<?> collection, Object owner, SharedSessionContractImplementor session) {
        routing.write(owner, session, () -> {
            requireSaved(collection, true, session);
            super.recreate(collection, owner, session);
        });
    }

    @Override
    public void remove(Object owner, SharedSessionContractImplementor session) {
        routing.write(owner, session, () -> super.remove(owner, session));
    }

    @Override
    public void deleteRows(PersistentCollection<?> collection, Object owner, SharedSessionContractImplementor session) {
        routing.write(owner, session, () -> super.deleteRows(collection, owner, session));
    }

    @Override
    public void insertRows(PersistentCollection<?> collection, Object owner, SharedSessionContractImplementor session) {
        routing.write(owner, session, () -> {
            requireSaved(collection, false, session);
            super.insertRows(collection, owner, session);
        });
    }

    @Override
    public void updateRows(PersistentCollection<?> collection, Object owner, SharedSessionContractImplementor session) {
        routing.write(owner, session, () -> {
            requireSaved(collection, false, session);
            super.updateRows(collection, owner, session);
        });
    }

    @Override
    public void processQueuedOps(
            PersistentCollection<?> collection, Object owner, SharedSessionContractImplementor session) {
        routing.write(owner, session, () -> super.processQueuedOps(collection, owner, session));
    }

    @Override
    public int getSize(Object owner, SharedSessionContractImplementor session) {
        return routing.read(owner, 0, session, () -> super.getSize(owner, session));
    }

    @Override
    public boolean elementExists(Object owner, Object element, SharedSessionContractImplementor session) {
        return routing.read(owner, false, session, () -> super.elementExists(owner, element, session));
    }

    @Override
    public boolean indexExists(Object owner, Object index, SharedSessionContractImplementor session) {
        return routing.read(owner, false, session, () -> super.indexExists(owner, index, session));
    }

    @Override
    public @Nullable Object getElementByIndex(
            Object key, Object index, SharedSessionContractImplementor session, Object owner) {
        return routing.readOrNull(key, session, () -> super.getElementByIndex(key, index, session, owner));
    }
}
