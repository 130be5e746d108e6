package io.github.shardedid.hibernate.internal.guards;

import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.routing.RowShards;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.event.spi.ClearEvent;
import org.hibernate.event.spi.ClearEventListener;
import org.hibernate.event.spi.EvictEvent;
import org.hibernate.event.spi.EvictEventListener;
import org.hibernate.event.spi.LoadEvent;
import org.hibernate.event.spi.LoadEventListener;
import org.hibernate.event.spi.PreLoadEvent;
import org.hibernate.event.spi.PreLoadEventListener;

/** Notes the shards of the rows that a session reads, if their ids name none, and checks those that the application asks for by id. */
public record SessionRowsListener(Sharding sharding)
        implements LoadEventListener, PreLoadEventListener, ClearEventListener, EvictEventListener {
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

    /** Whether the reference is an instance of the entity itself, which Hibernate does not let the persister create. */
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

    @Override
    public void onClear(ClearEvent event) {
        new RowShards(sharding).forget(event.getSession());
    }

    /** Called before Hibernate evicts the entity. */
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
}
