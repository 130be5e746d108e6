package io.github.shardedid.hibernate.internal.guards;

import io.github.shardedid.hibernate.AssociationAcrossShardsException;
import io.github.shardedid.hibernate.internal.mapping.ReferringAttributes.Referring;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.routing.RowState;
import io.github.shardedid.hibernate.internal.routing.RowTargets;
import io.github.shardedid.hibernate.internal.routing.ShardChoice;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import java.util.List;
import java.util.Map;
import org.hibernate.Hibernate;
import org.hibernate.StatelessSession;
import org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer;
import org.hibernate.collection.spi.CollectionSemantics;
import org.hibernate.collection.spi.PersistentCollection;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.metamodel.mapping.AggregatedIdentifierMapping;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.CollectionPart;
import org.hibernate.metamodel.mapping.EmbeddableMappingType;
import org.hibernate.metamodel.mapping.EmbeddableValuedModelPart;
import org.hibernate.metamodel.mapping.EntityIdentifierMapping;
import org.hibernate.metamodel.mapping.ModelPart;
import org.hibernate.metamodel.mapping.PluralAttributeMapping;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.proxy.LazyInitializer;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a row that refers to a row of another shard, by comparing the bits of the two ids. References are to-one associations and
 * {@code @Any}: of the row itself, within embeddables, and as elements and map keys of collections.
 *
 * @param row the id of the row, or of the owner of the collection
 */
public record AssociationGuard(Sharding sharding, Object row, int shard, SharedSessionContractImplementor session) {
    /**
     * Checks the state of a row that is about to be written to a shard. A stateless session writes the row's collections with it;
     * for other sessions, the plan of the flush checks those that have changed.
     */
    public void check(EntityPersister persister, @Nullable Object[] state) {
        List<Referring> referring = sharding.referring().of(persister, session instanceof StatelessSession);
        EntityIdentifierMapping id = persister.getIdentifierMapping();
        // Most rows refer to no other, and each row of a batch comes here.
        if ((id instanceof AggregatedIdentifierMapping || !referring.isEmpty())
                && sharding.mappings().find(persister.getEntityName()) != null) {
            for (Referring each : referring) {
                checkPart(each.path(), each.attribute(), state[each.attribute().getStateArrayPosition()]);
            }
            if (id instanceof AggregatedIdentifierMapping
                    && id instanceof EmbeddableValuedModelPart embedded
                    && embedded.getEmbeddableTypeDescriptor()
                            .getMappedJavaType()
                            .isInstance(row)) {
                checkPart(persister.getEntityName() + "." + id.getAttributeName(), embedded, row);
            }
        }
    }

    /** Checks the elements and map keys of a collection whose rows are about to be written to a shard. */
    public void check(CollectionPersister persister, PersistentCollection<?> collection) {
        if (collection.wasInitialized()) {
            checkRows(persister.getAttributeMapping(), collection.getValue());
        }
    }

    private void check(String parent, AttributeMapping attribute, @Nullable Object value) {
        if (canRefer(attribute)) {
            checkPart(parent + "." + attribute.getAttributeName(), attribute, value);
        }
    }

    private void checkPart(String path, ModelPart part, @Nullable Object value) {
        if (value == null || value == LazyPropertyInitializer.UNFETCHED_PROPERTY) {
            return;
        }
        if (part instanceof EmbeddableValuedModelPart embedded) {
            EmbeddableMappingType type = embedded.getEmbeddableTypeDescriptor();
            type.getAttributeMappings().forEach(attribute -> {
                if (RowState.has(type, value, attribute)) {
                    check(path, attribute, type.getValue(value, attribute.getStateArrayPosition()));
                }
            });
        } else if (part instanceof PluralAttributeMapping rows) {
            if (Hibernate.isInitialized(value)) {
                checkRows(rows, value instanceof PersistentCollection<?> wrapper ? wrapper.getValue() : value);
            }
        } else {
            checkReference(path, value);
        }
    }

    private boolean canRefer(@Nullable ModelPart part) {
        return sharding.referring().canRefer(part, session instanceof StatelessSession);
    }

    /** The elements of an inverse collection are checked as rows, but its map keys are written with the collection. */
    @SuppressWarnings("unchecked")
    private void checkRows(PluralAttributeMapping attribute, Object collection) {
        CollectionPersister persister = attribute.getCollectionDescriptor();
        CollectionPart element = attribute.getElementDescriptor();
        if (!persister.isInverse() && canRefer(element)) {
            ((CollectionSemantics<Object, ?>) attribute.getMappedType().getCollectionSemantics())
                    .getElementIterator(collection)
                    .forEachRemaining(value -> checkPart(persister.getRole(), element, value));
        }
        CollectionPart key = attribute.getIndexDescriptor();
        if (collection instanceof Map<?, ?> map && key != null && canRefer(key)) {
            map.keySet().forEach(value -> checkPart(persister.getRole() + " (map key)", key, value));
        }
    }

    private void checkReference(String path, Object target) {
        LazyInitializer proxy = HibernateProxy.extractLazyInitializer(target);
        String name = proxy != null ? proxy.getEntityName() : session.guessEntityName(target);
        ShardedMapping own = sharding.mappings().findOwnId(name);
        if (own != null) {
            checkRow(path, own, target);
            return;
        }
        Object id = sharding.mappings().find(name) == null ? null : ShardChoice.idOf(name, target, session);
        Integer other = RowTargets.shardOf(sharding, name, id);
        if (other != null && other != shard) {
            throw refused(path, name, id, other);
        }
    }

    /** A row whose id names no shard must be loaded, or its shard known otherwise. */
    private void checkRow(String path, ShardedMapping own, Object target) {
        Integer other = new ShardChoice(sharding, session.getFactory(), session).ofRow(own, target);
        Object id = ShardChoice.idOf(own.entityName(), target, session);
        if (other == null) {
            throw new AssociationAcrossShardsException(path + ": the row " + row + " is in shard " + shard
                    + ", but refers to " + RowTargets.row(own.entityName(), id)
                    + ", whose shard is not known: its id names none."
                    + " Load it in ShardContext.run(" + shard + ", …). Nothing was sent.");
        } else if (other != shard) {
            throw refused(path, own.entityName(), id, other);
        }
    }

    private AssociationAcrossShardsException refused(String path, String name, @Nullable Object id, int other) {
        return new AssociationAcrossShardsException(path + ": the row " + row + " is in shard " + shard
                + ", but refers to " + name + "#" + id + " in shard " + other
                + ". Associations cannot cross shards: put @ShardKey on the association, if the row is to be stored with"
                + " the other one; or declare it @ForeignShard, if the other row belongs to its own shard; or keep only the"
                + " id in a plain Long. If it is the @ShardKey, a stored row stays in its shard: save a new row with the other"
                + " parent, and delete this one. Nothing was sent.");
    }
}
