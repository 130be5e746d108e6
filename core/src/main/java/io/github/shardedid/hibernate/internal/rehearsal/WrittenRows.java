package io.github.shardedid.hibernate.internal.rehearsal;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.shardedid.hibernate.Rehearsal.Listener;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.hibernate.internal.routing.RowState;
import java.util.Objects;
import org.hibernate.event.spi.PostDeleteEvent;
import org.hibernate.event.spi.PostDeleteEventListener;
import org.hibernate.event.spi.PostInsertEvent;
import org.hibernate.event.spi.PostInsertEventListener;
import org.hibernate.event.spi.PostLoadEvent;
import org.hibernate.event.spi.PostLoadEventListener;
import org.hibernate.event.spi.PostUpdateEvent;
import org.hibernate.event.spi.PostUpdateEventListener;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.proxy.HibernateProxy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies a listener of the rows that are written. What stands for a row's shard is the row or the value at the end of its chain of
 * shard keys; of a row that is reached over others it is known once these have been loaded or written. Executes no statement. Safe for
 * use by several threads.
 */
final class WrittenRows
        implements PostLoadEventListener, PostInsertEventListener, PostUpdateEventListener, PostDeleteEventListener {
    private static final Logger LOG = LoggerFactory.getLogger(WrittenRows.class);
    private static final int KNOWN_ROWS = 100_000;

    private final ShardedMappings mappings;
    private final Listener listener;

    /** What stands for the shard, by row. */
    private final Cache<Row, Object> known =
            Caffeine.newBuilder().maximumSize(KNOWN_ROWS).build();

    private record Row(String rootTable, Object id) {}

    private record Value(ShardKeyAttribute.Kind kind, Object value) {}

    WrittenRows(ShardedMappings mappings, Listener listener) {
        this.mappings = mappings;
        this.listener = listener;
    }

    @Override
    public void onPostLoad(PostLoadEvent event) {
        read(event.getPersister(), event.getId(), event.getEntity());
    }

    @Override
    public void onPostInsert(PostInsertEvent event) {
        written(event.getPersister(), event.getId(), event.getEntity());
    }

    @Override
    public void onPostUpdate(PostUpdateEvent event) {
        written(event.getPersister(), event.getId(), event.getEntity());
    }

    @Override
    public void onPostDelete(PostDeleteEvent event) {
        written(event.getPersister(), event.getId(), event.getEntity());
    }

    @Override
    public boolean requiresPostCommitHandling(EntityPersister persister) {
        return false;
    }

    private void written(EntityPersister persister, Object id, Object entity) {
        if (mappings.find(persister.getEntityName()) != null) {
            listener.written(persister.getEntityName(), id, read(persister, id, entity));
        }
    }

    private @Nullable Object read(EntityPersister persister, Object id, Object entity) {
        ShardedMapping mapping = mappings.find(persister.getEntityName());
        if (mapping == null) {
            return null;
        }
        Object shard = shardIfReadable(mapping, persister, id, entity);
        if (shard != null) {
            known.put(new Row(mapping.table(), id), shard);
        }
        return shard;
    }

    /** The application runs as without a rehearsal, whatever cannot be read. */
    private @Nullable Object shardIfReadable(
            ShardedMapping mapping, EntityPersister persister, Object id, Object entity) {
        try {
            return shardOf(mapping, persister, id, entity);
        } catch (RuntimeException e) {
            LOG.debug("The shard of {} {} is not known", persister.getEntityName(), id, e);
            return null;
        }
    }

    private @Nullable Object shardOf(ShardedMapping mapping, EntityPersister persister, Object id, Object entity) {
        ShardKeyAttribute key = mapping.key();
        Object value = key == null ? null : RowState.value(persister, entity, key.name());
        if (key == null || key.isUnset(value)) {
            return new Row(mapping.table(), id);
        }
        Objects.requireNonNull(value);
        return switch (key.kind()) {
            case NUMBER, TEXT -> new Value(key.kind(), value);
            case REFERENCE -> shardOf(key.target(), value);
            case PARENT -> ofParent(persister, key, value);
        };
    }

    private @Nullable Object ofParent(EntityPersister child, ShardKeyAttribute key, Object parent) {
        if (parent instanceof HibernateProxy proxy) {
            return shardOf(key.target(), proxy.getHibernateLazyInitializer().getInternalIdentifier());
        }
        EntityPersister persister = child.getFactory().getMappingMetamodel().getEntityDescriptor(parent.getClass());
        Object id = child.getFactory().getPersistenceUnitUtil().getIdentifier(parent);
        return id == null ? null : read(persister, id, parent);
    }

    private @Nullable Object shardOf(@Nullable String entity, @Nullable Object id) {
        ShardedMapping mapping = mappings.find(entity);
        if (mapping == null || id == null) {
            return null;
        }
        Row row = new Row(mapping.table(), id);
        return mapping.key() == null ? row : known.getIfPresent(row);
    }
}
