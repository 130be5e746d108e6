package io.github.shardedid.hibernate.internal.guards;

import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.routing.RowShards;
import io.github.shardedid.hibernate.internal.routing.RowTargets;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.routing.Target;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.event.spi.AbstractPreDatabaseOperationEvent;
import org.hibernate.event.spi.ClearEvent;
import org.hibernate.event.spi.ClearEventListener;
import org.hibernate.event.spi.EvictEvent;
import org.hibernate.event.spi.EvictEventListener;
import org.hibernate.event.spi.LoadEvent;
import org.hibernate.event.spi.LoadEventListener;
import org.hibernate.event.spi.PreDeleteEvent;
import org.hibernate.event.spi.PreDeleteEventListener;
import org.hibernate.event.spi.PreInsertEvent;
import org.hibernate.event.spi.PreInsertEventListener;
import org.hibernate.event.spi.PreLoadEvent;
import org.hibernate.event.spi.PreLoadEventListener;
import org.hibernate.event.spi.PreUpdateEvent;
import org.hibernate.event.spi.PreUpdateEventListener;

/**
 * Notes the shards of the rows that a session reads and writes, if their ids name none, and checks those that the application asks for by
 * id.
 *
 * <p>An id such as a UUID decides nothing, so what is known of a row's shard is known by having seen the row.
 * A listener of {@code PRE_LOAD} sees each row that is read, also by queries and fetches, which pass no persister.
 * They are registered only if an entity has such ids, since each row that is read passes through them.
 */
public record SessionRowsListener(Sharding sharding)
        implements LoadEventListener,
                PreLoadEventListener,
                ClearEventListener,
                EvictEventListener,
                PreInsertEventListener,
                PreUpdateEventListener,
                PreDeleteEventListener {
    @Override
    public void onLoad(LoadEvent event, LoadType type) {
        ShardedMapping own = sharding.mappings().findOwnId(event.getEntityClassName());
        if (own == null) {
            return;
        }
        RowShards rows = new RowShards(sharding);
        // Others are loads of Hibernate itself, of rows to which it has read a reference.
        if (type == GET || type == LOAD) {
            rows.checkAsked(event.getSession(), own, event.getEntityId());
        }
        if (type.isAllowProxyCreation() && isEnhanced(event)) {
            rows.noteReference(event.getSession(), own, event.getEntityId(), null);
        }
    }

    /** Returns whether the reference is an instance of the entity itself, which Hibernate does not let the persister create. */
    private static boolean isEnhanced(LoadEvent event) {
        return event.getFactory()
                .getMappingMetamodel()
                .getEntityDescriptor(event.getEntityClassName())
                .getBytecodeEnhancementMetadata()
                .isEnhancedForLazyLoading();
    }

    @Override
    public void onPreLoad(PreLoadEvent event) {
        new RowShards(sharding)
                .noteRead(event.getSession(), event.getPersister(), event.getEntity(), event.getId(), event.getState());
    }

    /**
     * Forgets what the session knew. Otherwise a row of another shard with the id of an earlier one would be
     * looked for in the shard of that one.
     */
    @Override
    public void onClear(ClearEvent event) {
        new RowShards(sharding).forget(event.getSession());
    }

    /** Called before Hibernate evicts the entity. Afterwards, the session does not know the id any more. */
    @Override
    public void onEvict(EvictEvent event) {
        EntityEntry entry = event.getSession().getPersistenceContextInternal().getEntry(event.getObject());
        ShardedMapping own = entry == null
                ? null
                : sharding.mappings().findOwnId(entry.getPersister().getEntityName());
        if (entry != null && own != null) {
            new RowShards(sharding).forget(event.getSession(), own, entry.getId());
        }
    }

    @Override
    public boolean onPreInsert(PreInsertEvent event) {
        return note(event, false);
    }

    @Override
    public boolean onPreUpdate(PreUpdateEvent event) {
        return note(event, false);
    }

    @Override
    public boolean onPreDelete(PreDeleteEvent event) {
        return note(event, true);
    }

    /**
     * Notes where a row is written. The shard is that of the entity for its whole life, even if the application
     * changes its key afterwards; a row that is deleted has none, so that its object may be saved elsewhere.
     * Always returns false: true would silently veto the write.
     */
    private boolean note(AbstractPreDatabaseOperationEvent event, boolean delete) {
        String name = event.getPersister().getEntityName();
        Object entity = event.getEntity();
        if (sharding.mappings().findOwnId(name) != null
                && entity != null
                && RowTargets.ofWrite(sharding, event.getSession(), name, event.getId()) instanceof Target.Shard one) {
            new RowShards(sharding).noteEntity(entity, delete ? null : one.number());
        }
        return false;
    }
}
