package io.github.shardedid.hibernate.internal.writing;

import io.github.shardedid.hibernate.internal.ending.WrappingCoordinator;
import io.github.shardedid.hibernate.internal.guards.StateGuard;
import io.github.shardedid.hibernate.internal.routing.EntityRouting;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.values.GeneratedValues;
import org.hibernate.persister.entity.mutation.UpdateCoordinator;
import org.hibernate.sql.model.MutationOperationGroup;
import org.jspecify.annotations.Nullable;

/**
 * Updates in the shard that the id names.
 *
 * @param whole whether the statement writes all attributes, and inserts the row if it does not exist
 */
public record RoutedUpdateCoordinator(UpdateCoordinator target, EntityRouting routing, StateGuard guard, boolean whole)
        implements UpdateCoordinator, WrappingCoordinator {
    @Override
    public @Nullable GeneratedValues update(
            Object entity,
            Object id,
            Object rowId,
            Object[] values,
            Object oldVersion,
            Object[] incomingOldValues,
            int[] dirtyAttributeIndexes,
            boolean hasDirtyCollection,
            SharedSessionContractImplementor session) {
        return routing.write(
                id,
                session,
                shard -> check(id, shard, values, incomingOldValues, session),
                () -> target.update(
                        entity,
                        id,
                        rowId,
                        values,
                        oldVersion,
                        incomingOldValues,
                        dirtyAttributeIndexes,
                        hasDirtyCollection,
                        session));
    }

    private void check(
            Object id, int shard, Object[] values, Object @Nullable [] old, SharedSessionContractImplementor session) {
        if (whole) {
            guard.checkWhole(id, shard, values, session);
        } else {
            guard.checkUpdate(id, shard, values, old, session);
        }
    }

    @Override
    public void forceVersionIncrement(
            Object id, Object currentVersion, Object nextVersion, SharedSessionContractImplementor session) {
        forceVersionIncrement(id, currentVersion, nextVersion, false, session);
    }

    @Override
    public void forceVersionIncrement(
            Object id,
            Object currentVersion,
            Object nextVersion,
            boolean batching,
            SharedSessionContractImplementor session) {
        routing.write(
                id, session, () -> target.forceVersionIncrement(id, currentVersion, nextVersion, batching, session));
    }

    @Override
    public MutationOperationGroup getStaticMutationOperationGroup() {
        return target.getStaticMutationOperationGroup();
    }
}
