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
 * Declares the write of each row before its statement. The plan of a flush has declared it already, but a stateless session has no
 * flush. The connection alone would not notice a row of another shard, because a batch prepares its statement once.
 */
public record WriteGuard(Sharding sharding)
        implements PreInsertEventListener, PreUpdateEventListener, PreDeleteEventListener, PreUpsertEventListener {
    @Override
    public boolean onPreInsert(PreInsertEvent event) {
        return declare(event.getSession(), event.getPersister(), event.getEntity(), event.getId(), false);
    }

    @Override
    public boolean onPreUpdate(PreUpdateEvent event) {
        return declare(event.getSession(), event.getPersister(), event.getEntity(), event.getId(), false);
    }

    @Override
    public boolean onPreDelete(PreDeleteEvent event) {
        return declare(event.getSession(), event.getPersister(), event.getEntity(), event.getId(), true);
    }

    @Override
    public boolean onPreUpsert(PreUpsertEvent event) {
        return declare(event.getSession(), event.getPersister(), event.getEntity(), event.getId(), false);
    }

    /** Always returns false: true would silently veto the write. Does nothing if the row has no id yet. */
    private boolean declare(
            SharedSessionContractImplementor session,
            EntityPersister persister,
            @Nullable Object entity,
            @Nullable Object id,
            boolean delete) {
        noteOfStateless(session, persister, entity, id);
        Target.Single target = RowTargets.ofWrite(sharding, session, persister.getEntityName(), id);
        if (target != null) {
            DeclaredWrites.declare(session, target, () -> RowTargets.row(persister.getEntityName(), id));
        }
        if (entity != null
                && target instanceof Target.Shard one
                && sharding.mappings().findOwnId(persister.getEntityName()) != null) {
            new RowShards(sharding).noteEntity(entity, delete ? null : one.number());
        }
        return false;
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
