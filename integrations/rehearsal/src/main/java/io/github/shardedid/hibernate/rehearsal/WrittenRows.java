package io.github.shardedid.hibernate.rehearsal;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.shardedid.hibernate.internal.mapping.ReferringAttributes;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.hibernate.internal.routing.RowState;
import io.github.shardedid.hibernate.rehearsal.Rehearsal.Listener;
import org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PostDeleteEvent;
import org.hibernate.event.spi.PostDeleteEventListener;
import org.hibernate.event.spi.PostInsertEvent;
import org.hibernate.event.spi.PostInsertEventListener;
import org.hibernate.event.spi.PostLoadEvent;
import org.hibernate.event.spi.PostLoadEventListener;
import org.hibernate.event.spi.PostUpdateEvent;
import org.hibernate.event.spi.PostUpdateEventListener;
import org.hibernate.metamodel.mapping.EntityValuedModelPart;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.proxy.LazyInitializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies a listener of the rows that are written. What stands for a row's shard is the row or the value at the end of its chain of
 * shard keys; of a row that is reached over others it is known once these have been loaded or written. Executes no statement. Safe for
 * use by several threads.
 *
 * <p>The rows of an unsharded application have no shard, yet two rows are in one shard if the same value decides
 * for both: the same user, or the same tenant. So values are compared in place of shards. Two rows whose values
 * differ might still share a shard by chance, which is not to be relied on.
 *
 * <p>Listeners after the write are used, as ids of identity columns are known only then.
 *
 * @param known what stands for the shard, by row
 */
record WrittenRows(
        SessionFactoryImplementor factory,
        ShardedMappings mappings,
        ReferringAttributes referring,
        Listener listener,
        Cache<Row, Object> known)
        implements PostLoadEventListener, PostInsertEventListener, PostUpdateEventListener, PostDeleteEventListener {
    private static final Logger LOG = LoggerFactory.getLogger(WrittenRows.class);
    /**
     * The number of rows that are remembered. It is limited, because a rehearsal may run for days; what is
     * forgotten is not reported.
     */
    private static final int KNOWN_ROWS = 100_000;

    /**
     * A row, which stands for the shard that it would begin.
     *
     * @param rootTable identifies the entity's hierarchy, in which ids are unique
     */
    record Row(String rootTable, Object id) {}

    /**
     * A value of a shard key, which stands for the shard that it would name.
     *
     * @param kind numbers and texts name shards in different ways
     */
    private record Value(ShardKeyAttribute.Kind kind, Object value) {}

    /** Notifies the listener of the rows that the sessions of a session factory write from now on. */
    static void register(
            SessionFactoryImplementor factory,
            ShardedMappings mappings,
            ReferringAttributes referring,
            Listener listener) {
        WrittenRows rows = new WrittenRows(
                factory,
                mappings,
                referring,
                listener,
                Caffeine.newBuilder().maximumSize(KNOWN_ROWS).build());
        EventListenerRegistry listeners = factory.getEventListenerRegistry();
        listeners.appendListeners(EventType.POST_LOAD, rows);
        listeners.appendListeners(EventType.POST_INSERT, rows);
        listeners.appendListeners(EventType.POST_UPDATE, rows);
        listeners.appendListeners(EventType.POST_DELETE, rows);
    }

    @Override
    public void onPostLoad(PostLoadEvent event) {
        read(event.getPersister(), event.getId(), event.getEntity());
    }

    @Override
    public void onPostInsert(PostInsertEvent event) {
        EntityPersister persister = event.getPersister();
        written(persister, event.getId(), event.getEntity(), event.getState());
        ShardedMapping mapping = mappings.find(persister.getEntityName());
        ShardKeyAttribute key = mapping == null || mapping.isKeyInId() ? null : mapping.key();
        if (key != null && !key.begins() && key.isUnset(RowState.value(persister, event.getEntity(), key.name()))) {
            listener.refused(
                    key.toString(),
                    "The shard key is null in a new row. Set it before the row is saved, or put @ShardKey on another"
                            + " attribute.");
        }
    }

    @Override
    public void onPostUpdate(PostUpdateEvent event) {
        written(event.getPersister(), event.getId(), event.getEntity(), event.getState());
    }

    @Override
    public void onPostDelete(PostDeleteEvent event) {
        written(event.getPersister(), event.getId(), event.getEntity(), new Object[0]);
    }

    /**
     * Rows are reported at the flush, whether or not the transaction commits: what it would have been refused
     * for is known then.
     */
    @Override
    public boolean requiresPostCommitHandling(EntityPersister persister) {
        return false;
    }

    /**
     * Notifies the listener of a row, if it is known what stands for its shard, and checks what the row refers
     * to.
     */
    private void written(EntityPersister persister, Object id, Object entity, @Nullable Object[] state) {
        Object shard = read(persister, id, entity);
        if (shard != null) {
            listener.written(persister.getEntityName(), id, shard);
            if (state.length > 0) {
                checkReferences(persister, state, shard);
            }
        }
    }

    /** Reports the references to rows that are known to be in another shard. */
    private void checkReferences(EntityPersister persister, @Nullable Object[] state, Object shard) {
        for (ReferringAttributes.Referring each : referring.of(persister, false)) {
            Object target = state[each.attribute().getStateArrayPosition()];
            if (target != null
                    && target != LazyPropertyInitializer.UNFETCHED_PROPERTY
                    && each.attribute() instanceof EntityValuedModelPart) {
                Object other = ofRow(target);
                if (other != null && !other.equals(shard)) {
                    listener.refused(
                            each.path(),
                            "It refers to a row of another shard. Put @ShardKey on it if the row is to be stored with the other"
                                    + " one, @ForeignShard if the other one belongs to its own shard, or @GlobalEntity on its"
                                    + " class if that is a lookup table.");
                }
            }
        }
    }

    /** Returns what stands for the shard of a row; null if that is not known. */
    private @Nullable Object read(EntityPersister persister, Object id, Object entity) {
        ShardedMapping mapping = mappings.find(persister.getEntityName());
        if (mapping == null) {
            return null;
        }
        try {
            Object shard = shardOf(mapping, persister, id, entity);
            if (shard != null) {
                known.put(new Row(mapping.table(), id), shard);
            }
            return shard;
        } catch (RuntimeException e) {
            // The application runs as without a rehearsal, whatever cannot be read.
            LOG.debug("The shard of {} {} is not known", persister.getEntityName(), id, e);
            return null;
        }
    }

    /** Returns what stands for the shard of a row, by the chain of its shard keys. */
    private @Nullable Object shardOf(ShardedMapping mapping, EntityPersister persister, Object id, Object entity) {
        ShardKeyAttribute key = mapping.key();
        Object value = key == null ? null : RowState.value(persister, entity, key.name());
        if (key == null || value == null || key.isUnset(value)) {
            return withoutKey(mapping, id);
        }
        return switch (key.kind()) {
            case NUMBER, TEXT -> new Value(key.kind(), value);
            case REFERENCE -> shardOf(key.target(), value);
            case PARENT -> ofRow(value);
        };
    }

    /** The row itself stands for its shard, unless it lives in the shard of an owner that saves it by cascade. */
    private @Nullable Object withoutKey(ShardedMapping mapping, Object id) {
        return mappings.mayBeSavedByCascade(mapping.entityName()) ? null : new Row(mapping.table(), id);
    }

    /** The shard of a row that another one refers to. */
    private @Nullable Object ofRow(Object entity) {
        LazyInitializer proxy = HibernateProxy.extractLazyInitializer(entity);
        if (proxy != null && proxy.isUninitialized()) {
            return shardOf(proxy.getEntityName(), proxy.getInternalIdentifier());
        }
        Object row = proxy == null ? entity : proxy.getImplementation();
        Object id = factory.getPersistenceUnitUtil().getIdentifier(row);
        return id == null ? null : read(factory.getMappingMetamodel().getEntityDescriptor(row.getClass()), id, row);
    }

    /** Returns what stands for the shard of a row that is not loaded; null if it is not known yet. */
    private @Nullable Object shardOf(@Nullable String entity, @Nullable Object id) {
        ShardedMapping mapping = mappings.find(entity);
        if (mapping == null || id == null) {
            return null;
        }
        return mapping.key() == null ? withoutKey(mapping, id) : known.getIfPresent(new Row(mapping.table(), id));
    }
}
