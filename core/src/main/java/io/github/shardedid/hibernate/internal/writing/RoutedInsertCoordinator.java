package io.github.shardedid.hibernate.internal.writing;

import io.github.shardedid.hibernate.internal.ending.WrappingCoordinator;
import io.github.shardedid.hibernate.internal.guards.StateGuard;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.routing.EntityRouting;
import io.github.shardedid.hibernate.internal.routing.RowShards;
import io.github.shardedid.hibernate.internal.routing.RowState;
import io.github.shardedid.hibernate.internal.routing.ShardChoice;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.values.GeneratedValues;
import org.hibernate.persister.entity.mutation.InsertCoordinator;
import org.hibernate.sql.model.MutationOperationGroup;
import org.jspecify.annotations.Nullable;

/** Inserts into the shard that the id names or, if the column's default generates the id, that is chosen for a new row. */
public record RoutedInsertCoordinator(InsertCoordinator target, EntityRouting routing, StateGuard guard)
        implements InsertCoordinator, WrappingCoordinator {
    @Override
    public @Nullable GeneratedValues insert(Object entity, Object[] values, SharedSessionContractImplementor session) {
        if (!routing.isSharded()) {
            return routing.write(null, session, () -> target.insert(entity, values, session));
        }
        int shard = ShardChoice.shardOfNew(routing.sharding(), entity, session);
        guard.checkWhole(null, shard, values, session);
        GeneratedValues generated = routing.writeNew(shard, session, () -> target.insert(entity, values, session));
        noteOwnId(generated, entity, shard, session);
        return generated;
    }

    private void noteOwnId(
            @Nullable GeneratedValues generated, Object entity, int shard, SharedSessionContractImplementor session) {
        ShardedMapping own = routing.sharding().mappings().findOwnId(routing.entityName());
        Object id = own == null || generated == null
                ? null
                : generated.getGeneratedValue(guard.persister().getIdentifierMapping());
        if (own != null && id != null) {
            new RowShards(routing.sharding()).note(session, own, id, shard);
            new RowShards(routing.sharding()).noteEntity(entity, shard);
        }
    }

    @Override
    public @Nullable GeneratedValues insert(
            Object entity, Object id, Object[] values, SharedSessionContractImplementor session) {
        return routing.write(
                id,
                session,
                shard -> guard.checkWhole(id, shard, withKey(entity, values), session),
                () -> target.insert(entity, id, values, session));
    }

    /** A row that is inserted before its parent gets the reference to it by an update, in the same flush. */
    private Object[] withKey(Object entity, Object[] values) {
        ShardedMapping own = routing.sharding().mappings().findOwnId(routing.entityName());
        ShardKeyAttribute key = own == null ? null : own.key();
        if (key == null || key.kind() != ShardKeyAttribute.Kind.PARENT) {
            return values;
        }
        int index = RowState.index(guard.persister(), key.name());
        if (values[index] != null) {
            return values;
        }
        Object[] complete = values.clone();
        complete[index] = guard.persister().getValue(entity, index);
        return complete;
    }

    @Override
    public MutationOperationGroup getStaticMutationOperationGroup() {
        return target.getStaticMutationOperationGroup();
    }
}
