package io.github.shardedid.hibernate.internal.guards;

import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
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

/** Notes the shards of the rows that a session writes, if their ids name none. */
public record WrittenRowsListener(Sharding sharding)
        implements PreInsertEventListener, PreUpdateEventListener, PreDeleteEventListener, PreUpsertEventListener {
    @Override
    public boolean onPreInsert(PreInsertEvent event) {
        return note(event.getSession(), event.getPersister(), event.getEntity(), event.getId(), false);
    }

    @Override
    public boolean onPreUpdate(PreUpdateEvent event) {
        return note(event.getSession(), event.getPersister(), event.getEntity(), event.getId(), false);
    }

    @Override
    public boolean onPreDelete(PreDeleteEvent event) {
        return note(event.getSession(), event.getPersister(), event.getEntity(), event.getId(), true);
    }

    @Override
    public boolean onPreUpsert(PreUpsertEvent event) {
        return note(event.getSession(), event.getPersister(), event.getEntity(), event.getId(), false);
    }

    /** Always returns false: true would silently veto the write. */
    private boolean note(
            SharedSessionContractImplementor session,
            EntityPersister persister,
            @Nullable Object entity,
            @Nullable Object id,
            boolean delete) {
        ShardedMapping own = sharding.mappings().findOwnId(persister.getEntityName());
        if (own == null || entity == null) {
            return false;
        }
        RowShards rows = new RowShards(sharding);
        if (id != null && session instanceof StatelessSession) {
            // It knows no rows: what it writes is in the shard that the entity's key names.
            Integer shard = new ShardChoice(sharding, session.getFactory(), session).ofRow(own, entity);
            if (shard != null) {
                rows.note(session, own, id, shard);
            }
        }
        if (RowTargets.ofWrite(sharding, session, persister.getEntityName(), id) instanceof Target.Shard one) {
            rows.noteEntity(entity, delete ? null : one.number());
        }
        return false;
    }
}
