package io.github.shardedid.hibernate.internal.writing;

import io.github.shardedid.hibernate.internal.target.EntityRouting;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.entity.mutation.DeleteCoordinator;
import org.hibernate.sql.model.MutationOperationGroup;
import org.jspecify.annotations.Nullable;

/** Deletes in the shard that the id names. */
record RoutedDeleteCoordinator(DeleteCoordinator target, EntityRouting routing) implements DeleteCoordinator {
    @Override
    public void delete(Object entity, Object id, Object version, SharedSessionContractImplementor session) {
        routing.<@Nullable Object>write(id, session, () -> {
            target.delete(entity, id, version, session);
            return null;
        });
    }

    @Override
    public MutationOperationGroup getStaticMutationOperationGroup() {
        return target.getStaticMutationOperationGroup();
    }
}
