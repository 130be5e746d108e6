package io.github.shardedid.hibernate.internal.unroutable;

import io.github.shardedid.hibernate.internal.routing.Overridden;
import io.github.shardedid.hibernate.internal.routing.RowTargets;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import java.util.Map;
import java.util.OptionalInt;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.AbstractPreDatabaseOperationEvent;
import org.hibernate.event.spi.ClearEvent;
import org.hibernate.event.spi.ClearEventListener;
import org.hibernate.event.spi.DeleteEvent;
import org.hibernate.event.spi.EventSource;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.EvictEvent;
import org.hibernate.event.spi.EvictEventListener;
import org.hibernate.event.spi.LoadEvent;
import org.hibernate.event.spi.LoadEventListener;
import org.hibernate.event.spi.MergeEvent;
import org.hibernate.event.spi.PersistEvent;
import org.hibernate.event.spi.PreDeleteEvent;
import org.hibernate.event.spi.PreDeleteEventListener;
import org.hibernate.event.spi.PreInsertEvent;
import org.hibernate.event.spi.PreInsertEventListener;
import org.hibernate.event.spi.PreLoadEvent;
import org.hibernate.event.spi.PreLoadEventListener;
import org.hibernate.event.spi.PreUpdateEvent;
import org.hibernate.event.spi.PreUpdateEventListener;
import org.hibernate.event.spi.ReplicateEvent;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.proxy.LazyInitializer;
import org.jspecify.annotations.Nullable;

/**
 * Notes the shards of the rows that a session reads and writes, if their ids name none, and checks those that the application asks for by
 * id.
 *
 * <p>An id such as a UUID decides nothing, so what is known of a row's shard is known by having seen the row.
 * A listener of {@code PRE_LOAD} sees each row that is read, also by queries and fetches, which pass no persister.
 * They are registered only if an entity has such ids, since each row that is read passes through them.
 */
record SessionRowsListener(KnownRows known, Map<String, RowShards> byEntity)
        implements LoadEventListener,
                PreLoadEventListener,
                ClearEventListener,
                EvictEventListener,
                PreInsertEventListener,
                PreUpdateEventListener,
                PreDeleteEventListener {
    void register(EventListenerRegistry listeners) {
        listeners.prependListeners(EventType.LOAD, this);
        listeners.appendListeners(EventType.PRE_LOAD, this);
        listeners.appendListeners(EventType.CLEAR, this);
        listeners.prependListeners(EventType.EVICT, this);
        listeners.appendListeners(EventType.PRE_INSERT, this);
        listeners.appendListeners(EventType.PRE_UPDATE, this);
        listeners.appendListeners(EventType.PRE_DELETE, this);
        inShardOfKey(listeners, EventType.PERSIST);
        inShardOfKey(listeners, EventType.PERSIST_ONFLUSH);
        inShardOfKey(listeners, EventType.MERGE);
        inShardOfKey(listeners, EventType.DELETE);
        inShardOfKey(listeners, EventType.REPLICATE);
    }

    /**
     * Wraps the listeners that save, delete or replicate a row by ones that do it in the shard of its shard key: the session may not
     * know it yet. For a detached row, nothing else says where it is.
     */
    private <L> void inShardOfKey(EventListenerRegistry listeners, EventType<L> type) {
        Class<L> listener = type.baseListenerInterface();
        Overridden.wrap(
                listeners,
                type,
                next -> Overridden.of(listener, next, (method, arguments, call) -> {
                    try (ShardContext.Scope scope = openOf(arguments[0])) {
                        return call.on(next);
                    }
                }));
    }

    @SuppressWarnings("deprecation") // Hibernate still has Session.replicate
    private ShardContext.@Nullable Scope openOf(@Nullable Object event) {
        if (event instanceof PersistEvent persist) {
            return open(persist.getSession(), persist.getEntityName(), persist.getObject());
        } else if (event instanceof MergeEvent merge) {
            return open(merge.getSession(), merge.getEntityName(), merge.getOriginal());
        } else if (event instanceof DeleteEvent delete) {
            return open(delete.getSession(), delete.getEntityName(), delete.getObject());
        } else if (event instanceof ReplicateEvent replication) {
            return open(replication.getSession(), replication.getEntityName(), replication.getObject());
        }
        return null;
    }

    /**
     * Opens the scope of the shard of a row; null if it is not known, or the id names it. The session must not have rows of the same table
     * in another shard, if their ids may be equal.
     */
    private ShardContext.@Nullable Scope open(EventSource session, @Nullable String entityName, Object entity) {
        LazyInitializer reference = HibernateProxy.extractLazyInitializer(entity);
        RowShards rows = byEntity.get(
                reference != null
                        ? reference.getEntityName()
                        : session.getEntityPersister(entityName, entity).getEntityName());
        Integer shard = rows == null ? null : rows.ofEntity(entity, session.getFactory(), session);
        if (rows == null || shard == null) {
            return null;
        }
        rows.keepToOne(session, shard);
        return RoutedScope.open(shard);
    }

    @Override
    public void onLoad(LoadEvent event, LoadType type) {
        RowShards rows = byEntity.get(event.getEntityClassName());
        if (rows == null) {
            return;
        }
        // Others are loads of Hibernate itself, of rows to which it has read a reference.
        if (type == GET || type == LOAD) {
            rows.ofAsked(event.getSession(), event.getEntityId());
        }
        if (type.isAllowProxyCreation() && isEnhanced(event)) {
            rows.noteReference(event.getSession(), event.getEntityId(), null);
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

    /**
     * Notes the shard of a row that is being read, and of the rows that it refers to: all are in one shard.
     *
     * <p>Without a scope of one shard, as in a query over several, the references have to be noted, since they are
     * read later, when the query's shard is not known any more.
     */
    @Override
    public void onPreLoad(PreLoadEvent event) {
        EventSource session = event.getSession();
        if (session instanceof StatelessSession) {
            return;
        }
        String name = event.getPersister().getEntityName();
        RowShards rows = byEntity.get(name);
        OptionalInt scope = known.sharding().shard(session);
        Integer shard = rows != null
                ? rows.noteRead(session, event.getPersister(), event.getEntity(), event.getId(), event.getState())
                : scope.isPresent() ? null : RowTargets.shardOf(known.sharding(), name, event.getId());
        // In the scope of one shard, each new reference is noted when it is created.
        if (scope.isEmpty() && shard != null) {
            known.sharding()
                    .referring()
                    .of(event.getPersister(), false)
                    .forEach(each -> noteReference(
                            session, event.getState()[each.attribute().getStateArrayPosition()], shard));
        }
    }

    private void noteReference(EventSource session, @Nullable Object value, int shard) {
        LazyInitializer reference = HibernateProxy.extractLazyInitializer(value);
        RowShards rows = reference == null ? null : byEntity.get(reference.getEntityName());
        if (reference != null && rows != null && reference.isUninitialized()) {
            rows.note(session, reference, reference.getInternalIdentifier(), shard);
        }
    }

    /**
     * Forgets what the session knew. Otherwise a row of another shard with the id of an earlier one would be
     * looked for in the shard of that one.
     */
    @Override
    public void onClear(ClearEvent event) {
        known.sessions().invalidate(event.getSession());
    }

    /** Called before Hibernate evicts the entity. Afterwards, the session does not know the id any more. */
    @Override
    public void onEvict(EvictEvent event) {
        EntityEntry entry = event.getSession().getPersistenceContextInternal().getEntry(event.getObject());
        RowShards rows =
                entry == null ? null : byEntity.get(entry.getPersister().getEntityName());
        if (entry != null && rows != null) {
            rows.in(event.getSession()).shards.remove(entry.getId());
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
        RowShards rows = byEntity.get(event.getPersister().getEntityName());
        Object entity = event.getEntity();
        if (rows != null
                && entity != null
                && event.getId() != null
                && rows.ofWrite(event.getSession(), event.getId()) instanceof Target.Shard one) {
            if (delete) {
                known.instances().invalidate(entity);
            } else {
                known.instances().put(entity, one.number());
            }
        }
        return false;
    }
}
