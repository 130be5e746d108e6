package io.github.shardedid.hibernate.internal.persister;

import io.github.shardedid.hibernate.internal.guards.RowGuard;
import io.github.shardedid.hibernate.internal.routing.EntityRouting;
import io.github.shardedid.hibernate.internal.routing.ShardChoice;
import io.github.shardedid.hibernate.internal.routing.UnroutableIds;
import io.github.shardedid.hibernate.internal.unique.Claim;
import io.github.shardedid.routing.Target;
import java.util.List;
import java.util.Objects;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.values.GeneratedValues;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.persister.entity.mutation.DeleteCoordinator;
import org.hibernate.persister.entity.mutation.InsertCoordinator;
import org.hibernate.persister.entity.mutation.MutationCoordinator;
import org.hibernate.persister.entity.mutation.UpdateCoordinator;
import org.hibernate.sql.model.MutationOperationGroup;
import org.jspecify.annotations.Nullable;

/**
 * A coordinator of Hibernate that writes in the shard that the id names. It lets another one write, and adds no
 * statement of its own.
 *
 * <p>It checks the row again, although the plan of the flush has done so: a stateless session has no plan, and
 * listeners of the application may have changed the values. Inside of a flush, the declaration of the write and the
 * scope are already those of the row.
 */
interface RoutedCoordinator extends MutationCoordinator {
    /** Returns the coordinator that writes. */
    MutationCoordinator target();

    /** Returns where the rows are. */
    EntityRouting routing();

    @Override
    default MutationOperationGroup getStaticMutationOperationGroup() {
        return target().getStaticMutationOperationGroup();
    }

    /** Claims what is unique over all shards of a row that is about to be written. */
    private static void claim(
            EntityRouting routing,
            EntityPersister persister,
            Target.@Nullable Single row,
            Object id,
            Object[] values,
            int @Nullable [] dirty,
            SharedSessionContractImplementor session) {
        if (row instanceof Target.Shard one) {
            List<Claim> claims = routing.sharding().uniqueKeys().claims(persister, id, values, dirty, session);
            if (!claims.isEmpty()) {
                RowClaims.take(routing.sharding(), session, one.number(), claims);
            }
        }
    }

    /**
     * The coordinator of inserts, to the shard that the id names or, if the column's default generates the id,
     * that is chosen for a new row.
     */
    record Insert(InsertCoordinator target, EntityRouting routing, EntityPersister persister)
            implements InsertCoordinator, RoutedCoordinator {
        @Override
        public @Nullable GeneratedValues insert(
                Object entity, Object[] values, SharedSessionContractImplementor session) {
            if (!routing.isSharded()) {
                return routing.write(null, session, () -> target.insert(entity, values, session));
            }
            // No id yet: the statement is INSERT … RETURNING, which has to be sent to a shard before anybody knows
            // the id.
            int shard = new ShardChoice(routing.sharding(), session.getFactory(), session).choose(persister, entity);
            new RowGuard(routing, null, shard, session).checkWhole(persister, values, entity);
            GeneratedValues generated =
                    routing.write(Target.shard(shard), null, session, () -> target.insert(entity, values, session));
            UnroutableIds.Rows own = routing.own();
            if (own != null && generated != null) {
                Object id = Objects.requireNonNull(generated.getGeneratedValue(persister.getIdentifierMapping()));
                own.note(session, entity, id, shard);
            }
            return generated;
        }

        @Override
        public @Nullable GeneratedValues insert(
                Object entity, Object id, Object[] values, SharedSessionContractImplementor session) {
            Target.Single row = routing.ofWrite(id, session);
            if (row instanceof Target.Shard one) {
                new RowGuard(routing, id, one.number(), session).checkWhole(persister, values, entity);
            }
            return routing.write(row, id, session, () -> {
                if (routing.claims()) {
                    claim(routing, persister, row, id, values, null, session);
                }
                return target.insert(entity, id, values, session);
            });
        }
    }

    /**
     * Updates in the shard that the id names.
     *
     * @param whole whether the statement writes all attributes, and inserts the row if it does not exist
     */
    record Update(UpdateCoordinator target, EntityRouting routing, EntityPersister persister, boolean whole)
            implements UpdateCoordinator, RoutedCoordinator {
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
            Target.Single row = routing.ofWrite(id, session);
            if (row instanceof Target.Shard one && whole) {
                new RowGuard(routing, id, one.number(), session).checkWhole(persister, values, entity);
            } else if (row instanceof Target.Shard one) {
                new RowGuard(routing, id, one.number(), session).checkUpdate(persister, values, incomingOldValues);
            }
            return routing.write(row, id, session, () -> {
                if (routing.claims()) {
                    claim(routing, persister, row, id, values, dirtyAttributeIndexes, session);
                }
                return target.update(
                        entity,
                        id,
                        rowId,
                        values,
                        oldVersion,
                        incomingOldValues,
                        dirtyAttributeIndexes,
                        hasDirtyCollection,
                        session);
            });
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
                    id,
                    session,
                    () -> target.forceVersionIncrement(id, currentVersion, nextVersion, batching, session));
        }
    }

    /** Deletes in the shard that the id names. */
    record Delete(DeleteCoordinator target, EntityRouting routing) implements DeleteCoordinator, RoutedCoordinator {
        @Override
        public void delete(Object entity, Object id, Object version, SharedSessionContractImplementor session) {
            routing.write(id, session, () -> target.delete(entity, id, version, session));
        }
    }
}
