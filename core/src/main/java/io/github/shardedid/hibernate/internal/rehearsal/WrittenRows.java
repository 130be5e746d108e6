package io.github.shardedid.hibernate.internal.rehearsal;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.shardedid.hibernate.Rehearsal.Listener;
import io.github.shardedid.hibernate.internal.mapping.CascadeOwners;
import io.github.shardedid.hibernate.internal.mapping.ReferringAttributes;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.hibernate.internal.routing.RowState;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer;
import org.hibernate.collection.spi.PersistentCollection;
import org.hibernate.engine.spi.PersistenceContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.AbstractCollectionEvent;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PersistContext;
import org.hibernate.event.spi.PersistEvent;
import org.hibernate.event.spi.PersistEventListener;
import org.hibernate.event.spi.PostCollectionRecreateEvent;
import org.hibernate.event.spi.PostCollectionRecreateEventListener;
import org.hibernate.event.spi.PostCollectionUpdateEvent;
import org.hibernate.event.spi.PostCollectionUpdateEventListener;
import org.hibernate.event.spi.PostDeleteEvent;
import org.hibernate.event.spi.PostDeleteEventListener;
import org.hibernate.event.spi.PostInsertEvent;
import org.hibernate.event.spi.PostInsertEventListener;
import org.hibernate.event.spi.PostLoadEvent;
import org.hibernate.event.spi.PostLoadEventListener;
import org.hibernate.event.spi.PostUpdateEvent;
import org.hibernate.event.spi.PostUpdateEventListener;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.EmbeddableMappingType;
import org.hibernate.metamodel.mapping.EmbeddableValuedModelPart;
import org.hibernate.metamodel.mapping.EntityValuedModelPart;
import org.hibernate.metamodel.mapping.ModelPart;
import org.hibernate.metamodel.mapping.PluralAttributeMapping;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.proxy.LazyInitializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies a listener of the rows that are written. What stands for a row's shard is the row or the value at the end of its chain of
 * shard keys and of owners that save by cascade; of a row that is reached over others it is known once these have been loaded or
 * written. Executes no statement. Safe for
 * use by several threads.
 */
final class WrittenRows
        implements PostLoadEventListener,
                PostInsertEventListener,
                PostUpdateEventListener,
                PostDeleteEventListener,
                PostCollectionRecreateEventListener,
                PostCollectionUpdateEventListener {
    private static final Logger LOG = LoggerFactory.getLogger(WrittenRows.class);
    private static final int KNOWN_ROWS = 100_000;

    /** A row may be in a collection of its owner, and that one in one of its own; two that contain each other lead nowhere. */
    private static final int MOST_OWNERS = 8;

    private final SessionFactoryImplementor factory;
    private final ShardedMappings mappings;
    private final ReferredRows referred;
    private final LateKeys lateKeys;
    private final Listener listener;

    /** What stands for the shard, by row. */
    private final Cache<Row, Object> known =
            Caffeine.newBuilder().maximumSize(KNOWN_ROWS).build();

    private record Row(String rootTable, Object id) {}

    private record Value(ShardKeyAttribute.Kind kind, Object value) {}

    private WrittenRows(
            SessionFactoryImplementor factory,
            ShardedMappings mappings,
            ReferringAttributes referring,
            LateKeys lateKeys,
            Listener listener) {
        this.factory = factory;
        this.mappings = mappings;
        this.referred = new ReferredRows(referring);
        this.lateKeys = lateKeys;
        this.listener = listener;
    }

    /** Notifies the listener of the rows that the sessions of a session factory write from now on. */
    static void register(
            SessionFactoryImplementor factory,
            ShardedMappings mappings,
            ReferringAttributes referring,
            Listener listener) {
        LateKeys lateKeys = new LateKeys(mappings);
        WrittenRows rows = new WrittenRows(factory, mappings, referring, lateKeys, listener);
        EventListenerRegistry listeners = factory.getEventListenerRegistry();
        listeners.prependListeners(EventType.PERSIST, lateKeys);
        listeners.prependListeners(EventType.PERSIST_ONFLUSH, lateKeys);
        listeners.appendListeners(EventType.POST_LOAD, rows);
        listeners.appendListeners(EventType.POST_INSERT, rows);
        listeners.appendListeners(EventType.POST_UPDATE, rows);
        listeners.appendListeners(EventType.POST_DELETE, rows);
        listeners.appendListeners(EventType.POST_COLLECTION_RECREATE, rows);
        listeners.appendListeners(EventType.POST_COLLECTION_UPDATE, rows);
    }

    @Override
    public void onPostLoad(PostLoadEvent event) {
        ShardedMapping mapping = mappings.find(event.getPersister().getEntityName());
        if (mapping != null) {
            read(mapping, event.getPersister(), event.getId(), event.getEntity());
        }
    }

    @Override
    public void onPostInsert(PostInsertEvent event) {
        EntityPersister persister = event.getPersister();
        written(event.getSession(), persister, event.getId(), event.getEntity(), event.getState());
        ShardKeyAttribute missing = lateKeys.missingIn(persister, event.getEntity());
        if (missing != null) {
            listener.withoutKey(missing.toString());
        }
    }

    @Override
    public void onPostUpdate(PostUpdateEvent event) {
        EntityPersister persister = event.getPersister();
        written(event.getSession(), persister, event.getId(), event.getEntity(), event.getState());
    }

    @Override
    public void onPostRecreateCollection(PostCollectionRecreateEvent event) {
        written(event);
    }

    @Override
    public void onPostUpdateCollection(PostCollectionUpdateEvent event) {
        written(event);
    }

    private void written(AbstractCollectionEvent event) {
        CollectionPersister collection = event.getCollectionPersister();
        Object id = event.getAffectedOwnerIdOrNull();
        if (collection != null && id != null && !collection.isInverse()) {
            EntityPersister owner = collection.getOwnerEntityPersister();
            readable(
                    owner,
                    id,
                    () -> across(
                            shardOf(owner.getEntityName(), id),
                            check -> referred.ofCollection(
                                    collection.getAttributeMapping(), event.getCollection(), check)));
        }
    }

    private void written(
            SharedSessionContractImplementor session,
            EntityPersister persister,
            Object id,
            Object entity,
            @Nullable Object[] state) {
        Object shard = written(session, persister, id, entity);
        readable(persister, id, () -> across(shard, check -> referred.ofRow(persister, state, check)));
    }

    /** Reports the references to rows that are known to be in another shard; the row's own shard may be unknown. */
    private @Nullable Object across(@Nullable Object shard, Consumer<BiConsumer<String, Object>> references) {
        if (shard != null) {
            references.accept((path, target) -> {
                Object other = ofRow(target);
                if (other != null && !other.equals(shard)) {
                    listener.refersAcross(path);
                }
            });
        }
        return shard;
    }

    @Override
    public void onPostDelete(PostDeleteEvent event) {
        written(event.getSession(), event.getPersister(), event.getId(), event.getEntity());
    }

    @Override
    public boolean requiresPostCommitHandling(EntityPersister persister) {
        return false;
    }

    private @Nullable Object written(
            SharedSessionContractImplementor session, EntityPersister persister, Object id, Object entity) {
        ShardedMapping mapping = mappings.find(persister.getEntityName());
        if (mapping == null) {
            return null;
        }
        Object own = read(mapping, persister, id, entity);
        Object shard = own == null ? withOwner(session, mapping, id, entity, MOST_OWNERS) : own;
        listener.written(persister.getEntityName(), id, shard);
        return shard;
    }

    private @Nullable Object read(ShardedMapping mapping, EntityPersister persister, Object id, Object entity) {
        return readable(persister, id, () -> {
            Object shard = shardOf(mapping, persister, id, entity);
            if (shard != null) {
                known.put(new Row(mapping.table(), id), shard);
            }
            return shard;
        });
    }

    /** Null for a row that is not reached over a loaded collection. */
    private @Nullable Object withOwner(
            SharedSessionContractImplementor session, ShardedMapping mapping, Object id, Object entity, int most) {
        PersistenceContext context = session.getPersistenceContextInternal();
        for (CascadeOwners.Role role : mappings.cascadeOwners().of(mapping.entityName())) {
            EntityPersister owner = session.getFactory().getMappingMetamodel().getEntityDescriptor(role.owner());
            Object shard = readable(owner, id, () -> {
                Object ownerId = context.getOwnerId(role.owner(), role.attribute(), entity, Map.of());
                return ownerId == null ? null : ofOwner(session, owner, ownerId, most);
            });
            if (shard != null) {
                known.put(new Row(mapping.table(), id), shard);
                return shard;
            }
        }
        return null;
    }

    private @Nullable Object ofOwner(
            SharedSessionContractImplementor session, EntityPersister owner, Object id, int most) {
        ShardedMapping mapping = mappings.find(owner.getEntityName());
        Object row = session.getPersistenceContextInternal().getEntity(session.generateEntityKey(id, owner));
        if (mapping == null || row == null) {
            return null;
        }
        Object shard = read(mapping, owner, id, row);
        return shard != null || most == 0 ? shard : withOwner(session, mapping, id, row, most - 1);
    }

    /** The application runs as without a rehearsal, whatever cannot be read. */
    private static @Nullable Object readable(EntityPersister persister, Object id, Supplier<@Nullable Object> shard) {
        try {
            return shard.get();
        } catch (RuntimeException e) {
            LOG.debug("The shard of {} {} is not known", persister.getEntityName(), id, e);
            return null;
        }
    }

    private @Nullable Object shardOf(ShardedMapping mapping, EntityPersister persister, Object id, Object entity) {
        ShardKeyAttribute key = mapping.key();
        Object value = key == null ? null : RowState.value(persister, entity, key.name());
        if (key == null || key.isUnset(value)) {
            return withoutKey(mapping, id);
        }
        Objects.requireNonNull(value);
        return switch (key.kind()) {
            case NUMBER, TEXT -> new Value(key.kind(), value);
            case REFERENCE -> shardOf(key.target(), value);
            case PARENT -> ofRow(value);
        };
    }

    /** The row itself stands for its shard, unless it lives in the shard of an owner. */
    private @Nullable Object withoutKey(ShardedMapping mapping, Object id) {
        Row row = new Row(mapping.table(), id);
        return mappings.cascadeOwners().mayBeSaved(mapping.entityName()) ? known.getIfPresent(row) : row;
    }

    /** The shard of a row that another one refers to. */
    private @Nullable Object ofRow(Object entity) {
        LazyInitializer proxy = HibernateProxy.extractLazyInitializer(entity);
        if (proxy != null && proxy.isUninitialized()) {
            return shardOf(proxy.getEntityName(), proxy.getInternalIdentifier());
        }
        Object row = proxy == null ? entity : proxy.getImplementation();
        EntityPersister persister = factory.getMappingMetamodel().getEntityDescriptor(row.getClass());
        ShardedMapping mapping = mappings.find(persister.getEntityName());
        Object id = factory.getPersistenceUnitUtil().getIdentifier(row);
        return id == null || mapping == null ? null : read(mapping, persister, id, row);
    }

    private @Nullable Object shardOf(@Nullable String entity, @Nullable Object id) {
        ShardedMapping mapping = mappings.find(entity);
        if (mapping == null || id == null) {
            return null;
        }
        return mapping.key() == null ? withoutKey(mapping, id) : known.getIfPresent(new Row(mapping.table(), id));
    }

    /**
     * Finds rows whose shard key is null when they are saved. With shards, their ids are generated then, although a callback or auditing may
     * set the key before the row is inserted. Safe for use by several threads.
     */
    private static final class LateKeys implements PersistEventListener {
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

    /**
     * The sharded rows that a row refers to, and that have to be in its shard: by its to-one associations, also within embeddables, and by
     * the elements of its collections. Loads nothing.
     */
    private record ReferredRows(ReferringAttributes referring) {
        /** Passes on the path of each reference, with its entity, and the entity or proxy that it refers to. */
        void ofRow(EntityPersister persister, @Nullable Object[] state, BiConsumer<String, Object> action) {
            for (ReferringAttributes.Referring each : referring.of(persister, false)) {
                visit(each.path(), each.attribute(), state[each.attribute().getStateArrayPosition()], action);
            }
        }

        /** The same for the elements of a collection that is written. */
        void ofCollection(
                PluralAttributeMapping mapping, PersistentCollection<?> collection, BiConsumer<String, Object> action) {
            if (collection.wasInitialized() && referring.canRefer(mapping, true)) {
                ModelPart element = mapping.getElementDescriptor();
                for (Object each : elements(collection.getValue())) {
                    visit(mapping.getCollectionDescriptor().getRole(), element, each, action);
                }
            }
        }

        private static Iterable<?> elements(Object collection) {
            if (collection instanceof Map<?, ?> map) {
                return map.values();
            }
            return collection instanceof Iterable<?> elements ? elements : List.of();
        }

        private void visit(String path, ModelPart part, @Nullable Object value, BiConsumer<String, Object> action) {
            if (value == null
                    || value == LazyPropertyInitializer.UNFETCHED_PROPERTY
                    || !referring.canRefer(part, false)) {
                return;
            }
            if (part instanceof EmbeddableValuedModelPart embedded) {
                EmbeddableMappingType type = embedded.getEmbeddableTypeDescriptor();
                for (int i = 0; i < type.getNumberOfAttributeMappings(); i++) {
                    AttributeMapping attribute = type.getAttributeMapping(i);
                    if (RowState.has(type, value, attribute)) {
                        visit(path + "." + attribute.getAttributeName(), attribute, attribute.getValue(value), action);
                    }
                }
            } else if (part instanceof EntityValuedModelPart) {
                action.accept(path, value);
            }
        }
    }
}
