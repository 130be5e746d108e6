package io.github.shardedid.hibernate.internal.writing;

import io.github.shardedid.hibernate.internal.routing.EntityRouting;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.entity.mutation.DeleteCoordinator;
import org.hibernate.sql.model.MutationOperationGroup;

/** Deletes in the shard that the id names. */
public record RoutedDeleteCoordinator(DeleteCoordinator target, EntityRouting routing) implements DeleteCoordinator {
    @Override
    public void delete(Object entity, Object id, Object version, SharedSessionContractImplementor session) {
        routing.write(id, session, () -> target.delete(entity, id, version, session));
    }

    @Override
    public MutationOperationGroup getStaticMutationOperationGroup() {
        return target.getStaticMutationOperationGroup();
    }
}
