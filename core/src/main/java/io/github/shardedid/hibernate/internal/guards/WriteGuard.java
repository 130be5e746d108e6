package io.github.shardedid.hibernate.internal.guards;

import io.github.shardedid.hibernate.internal.routing.DeclaredWrites;
import io.github.shardedid.hibernate.internal.routing.RowTargets;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.routing.Target;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.spi.PreDeleteEvent;
import org.hibernate.event.spi.PreDeleteEventListener;
import org.hibernate.event.spi.PreInsertEvent;
import org.hibernate.event.spi.PreInsertEventListener;
import org.hibernate.event.spi.PreUpdateEvent;
import org.hibernate.event.spi.PreUpdateEventListener;
import org.hibernate.event.spi.PreUpsertEvent;
import org.hibernate.event.spi.PreUpsertEventListener;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Checks each row before its statement. The plan of a flush has checked it already, but a stateless session has no flush. The
 * connection alone would not notice a row of another shard, because a batch prepares its statement once.
 */
public record WriteGuard(Sharding sharding)
        implements PreInsertEventListener, PreUpdateEventListener, PreDeleteEventListener, PreUpsertEventListener {
    @Override
    public boolean onPreInsert(PreInsertEvent event) {
        return whole(event.getSession(), event.getPersister(), event.getId(), event.getState());
    }

    @Override
    public boolean onPreUpdate(PreUpdateEvent event) {
        Target.Single target = check(event.getSession(), event.getPersister(), event.getId(), event.getState());
        if (target instanceof Target.Shard one) {
            new KeyGuard(sharding, event.getPersister(), one.number(), event.getId(), event.getState())
                    .checkUpdate(event.getOldState());
        }
        return false;
    }

    @Override
    public boolean onPreDelete(PreDeleteEvent event) {
        check(event.getSession(), event.getPersister(), event.getId(), null);
        return false;
    }

    @Override
    public boolean onPreUpsert(PreUpsertEvent event) {
        return whole(event.getSession(), event.getPersister(), event.getId(), event.getState());
    }

    /** Always returns false, as the other listeners do: true would silently veto the write. */
    private boolean whole(
            SharedSessionContractImplementor session,
            EntityPersister persister,
            @Nullable Object id,
            @Nullable Object[] state) {
        if (check(session, persister, id, state) instanceof Target.Shard one && id != null) {
            new KeyGuard(sharding, persister, one.number(), id, state).check();
        }
        return false;
    }

    /** Declares the write and checks the row's associations; null if the row has no id yet. */
    private Target.@Nullable Single check(
            SharedSessionContractImplementor session,
            EntityPersister persister,
            @Nullable Object id,
            @Nullable Object @Nullable [] state) {
        Target.Single target = RowTargets.of(sharding, persister.getEntityName(), id);
        if (target != null) {
            DeclaredWrites.declare(session, target, () -> RowTargets.row(persister.getEntityName(), id));
        }
        if (state != null && id != null && target instanceof Target.Shard one) {
            new AssociationGuard(sharding, id, one.number(), session).check(persister, state);
        }
        return target;
    }
}
