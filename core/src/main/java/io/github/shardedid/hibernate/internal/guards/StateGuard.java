package io.github.shardedid.hibernate.internal.guards;

import io.github.shardedid.hibernate.internal.routing.Sharding;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Checks the values of a row when its statement is about to be bound. The plan of a flush has checked the row already, but a
 * stateless session has no flush, and listeners and interceptors of the application may have changed the values since.
 */
public record StateGuard(Sharding sharding, EntityPersister persister) {
    /**
     * Checks a row that is about to be inserted, or written as a whole.
     *
     * @param id null if the database generates it
     */
    public void checkWhole(
            @Nullable Object id, int shard, @Nullable Object[] state, SharedSessionContractImplementor session) {
        checkAssociations(id, shard, state, session);
        keyGuard(id, shard, state, session).check();
    }

    /**
     * Checks a row that is about to be updated.
     *
     * @param old the values that were read; null if they are not known
     */
    public void checkUpdate(
            Object id,
            int shard,
            @Nullable Object[] state,
            @Nullable Object @Nullable [] old,
            SharedSessionContractImplementor session) {
        checkAssociations(id, shard, state, session);
        keyGuard(id, shard, state, session).checkUpdate(old);
    }

    private void checkAssociations(
            @Nullable Object id, int shard, @Nullable Object[] state, SharedSessionContractImplementor session) {
        new AssociationGuard(sharding, id == null ? "a new row" : id, shard, session).check(persister, state);
    }

    private KeyGuard keyGuard(
            @Nullable Object id, int shard, @Nullable Object[] state, SharedSessionContractImplementor session) {
        return new KeyGuard(sharding, session, persister, shard, id, state);
    }
}
