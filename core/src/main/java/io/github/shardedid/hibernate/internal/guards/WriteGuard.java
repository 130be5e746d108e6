package io.github.shardedid.hibernate.internal.guards;

import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.routing.DeclaredWrites;
import io.github.shardedid.hibernate.internal.routing.RowShards;
import io.github.shardedid.hibernate.internal.routing.RowTargets;
import io.github.shardedid.hibernate.internal.routing.ShardChoice;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.routing.Target;
import org.hibernate.StatelessSession;
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
        return whole(event.getSession(), event.getPersister(), event.getEntity(), event.getId(), event.getState());
    }

    @Override
    public boolean onPreUpdate(PreUpdateEvent event) {
        Target.Single target =
                check(event.getSession(), event.getPersister(), event.getEntity(), event.getId(), event.getState());
        if (target instanceof Target.Shard one) {
            new KeyGuard(sharding, event.getPersister(), one.number(), event.getId(), event.getState())
                    .checkUpdate(event.getOldState());
        }
        return false;
    }

    @Override
    public boolean onPreDelete(PreDeleteEvent event) {
        check(event.getSession(), event.getPersister(), event.getEntity(), event.getId(), null);
        return false;
    }

    @Override
    public boolean onPreUpsert(PreUpsertEvent event) {
        return whole(event.getSession(), event.getPersister(), event.getEntity(), event.getId(), event.getState());
    }

    /** Always returns false, as the other listeners do: true would silently veto the write. */
    private boolean whole(
            SharedSessionContractImplementor session,
            EntityPersister persister,
            Object entity,
            @Nullable Object id,
            @Nullable Object[] state) {
        if (check(session, persister, entity, id, state) instanceof Target.Shard one && id != null) {
            new KeyGuard(sharding, persister, one.number(), id, state).check();
        }
        return false;
    }

    /** Declares the write and checks the row's associations; null if the row has no id yet. */
    private Target.@Nullable Single check(
            SharedSessionContractImplementor session,
            EntityPersister persister,
            @Nullable Object entity,
            @Nullable Object id,
            @Nullable Object @Nullable [] state) {
        noteOfStateless(session, persister, entity, id);
        Target.Single target = RowTargets.ofWrite(sharding, session, persister.getEntityName(), id);
        if (target != null) {
            DeclaredWrites.declare(session, target, () -> RowTargets.row(persister.getEntityName(), id));
        }
        if (entity != null
                && target instanceof Target.Shard one
                && sharding.mappings().findOwnId(persister.getEntityName()) != null) {
            new RowShards(sharding).noteEntity(entity, state == null ? null : one.number());
        }
        if (state != null && id != null && target instanceof Target.Shard one) {
            new AssociationGuard(sharding, id, one.number(), session).check(persister, state);
        }
        return target;
    }

    /** A stateless session knows no rows: what it writes is in the shard that the entity's key names. */
    private void noteOfStateless(
            SharedSessionContractImplementor session,
            EntityPersister persister,
            @Nullable Object entity,
            @Nullable Object id) {
        ShardedMapping own = sharding.mappings().findOwnId(persister.getEntityName());
        if (own == null || entity == null || id == null || !(session instanceof StatelessSession)) {
            return;
        }
        Integer shard = new ShardChoice(sharding, session.getFactory(), session).ofRow(own, entity);
        if (shard != null) {
            new RowShards(sharding).note(session, own, id, shard);
        }
    }
}
