package io.github.shardedid.hibernate.internal.rehearsal;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.hibernate.internal.routing.RowState;
import org.hibernate.event.spi.PersistContext;
import org.hibernate.event.spi.PersistEvent;
import org.hibernate.event.spi.PersistEventListener;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds rows whose shard key is null when they are saved. With shards, their ids are generated then, although a callback or auditing may
 * set the key before the row is inserted. Safe for use by several threads.
 */
final class LateKeys implements PersistEventListener {
    private static final Logger LOG = LoggerFactory.getLogger(LateKeys.class);

    private final ShardedMappings mappings;

    /** By identity. */
    private final Cache<Object, Boolean> unset =
            Caffeine.newBuilder().weakKeys().build();

    LateKeys(ShardedMappings mappings) {
        this.mappings = mappings;
    }

    @Override
    public void onPersist(PersistEvent event) {
        look(event);
    }

    @Override
    public void onPersist(PersistEvent event, PersistContext cascaded) {
        look(event);
    }

    /** The application runs as without a rehearsal, whatever cannot be read. */
    private void look(PersistEvent event) {
        Object entity = event.getObject();
        try {
            EntityPersister persister = event.getSession().getEntityPersister(event.getEntityName(), entity);
            ShardKeyAttribute key = keyOf(persister);
            if (key != null && key.isUnset(RowState.value(persister, entity, key.name()))) {
                unset.put(entity, true);
            }
        } catch (RuntimeException e) {
            LOG.debug("The shard key of {} is not known", event.getEntityName(), e);
        }
    }

    /** The shard key that an entity must have when it is saved, whether its id names the shard or not; null if there is none. */
    private @Nullable ShardKeyAttribute keyOf(EntityPersister persister) {
        ShardedMapping mapping = mappings.find(persister.getEntityName());
        ShardKeyAttribute key = mapping == null || mapping.isKeyInId() ? null : mapping.key();
        return key == null || key.begins() ? null : key;
    }

    /** The shard key of a row that is being inserted; null unless it was null when the row was saved, or is so still. */
    @Nullable
    ShardKeyAttribute missingIn(EntityPersister persister, Object entity) {
        ShardKeyAttribute key = keyOf(persister);
        boolean late = key != null && unset.getIfPresent(entity) != null;
        return key != null && (late || key.isUnset(RowState.value(persister, entity, key.name()))) ? key : null;
    }
}
