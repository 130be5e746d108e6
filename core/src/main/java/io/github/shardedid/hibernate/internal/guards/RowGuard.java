package io.github.shardedid.hibernate.internal.guards;

import io.github.shardedid.hibernate.internal.mapping.ReferringAttributes.Referring;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.routing.EntityRouting;
import io.github.shardedid.hibernate.internal.routing.RowState;
import io.github.shardedid.hibernate.internal.routing.RowTargets;
import io.github.shardedid.hibernate.internal.routing.ShardChoice;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.hibernate.internal.routing.UnroutableIds;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.routing.WrongShardException;
import io.github.shardedid.topology.UnknownShardException;
import java.util.Map;
import java.util.Objects;
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
 * Checks a row that is about to be written to a shard:
 *
 * <ol>
 *   <li>It refers to no row of another shard, by the bits of the two ids. References are to-one associations: of the row
 *       itself, within embeddables, and as elements and map keys of collections.
 *   <li>Its shard key names the shard of its id: queries by the key look for it there. A key that is an association is one of the
 *       references.
 * </ol>
 *
 * <p>The plan of a flush checks the row before anything is sent. The coordinators check the row again when its statement is about to be
 * bound: a stateless session has no flush, and listeners and interceptors of the application may have changed the values since.
 *
 * <p>The check compares two ids in memory: an association is never loaded for it. Without it, a row would be stored
 * with a reference that no join in its shard can follow, and PostgreSQL could not object, as each shard has foreign
 * keys of its own. It is one of three layers; the others are the shard of a statement and the CHECK constraints of
 * tables.
 *
 * @param id the id of the row, or of the owner of the collection; null for a new row whose id the database generates
 * @param shard the shard that the id names, or that was chosen for such a row
 */
public record RowGuard(
        EntityRouting routing, @Nullable Object id, int shard, SharedSessionContractImplementor session) {
    private Sharding sharding() {
        return routing.sharding();
    }

    /**
     * Checks the references of a row's state. A stateless session writes the row's collections with it; for other sessions, the plan of the
     * flush checks those that have changed.
     */
    private void checkReferences(EntityPersister persister, @Nullable Object[] state) {
        EntityIdentifierMapping idPart = persister.getIdentifierMapping();
        if (routing.isSharded()) {
            for (Referring each : routing.referring(persister, session)) {
                checkPart(each.path(), each.attribute(), state[each.attribute().getStateArrayPosition()]);
            }
            if (idPart instanceof AggregatedIdentifierMapping
                    && idPart instanceof EmbeddableValuedModelPart embedded
                    && embedded.getEmbeddableTypeDescriptor()
                            .getMappedJavaType()
                            .isInstance(id)) {
                checkPart(persister.getEntityName() + "." + idPart.getAttributeName(), embedded, id);
            }
        }
    }

    /**
     * Checks the elements and map keys of a collection whose rows are about to be written to a shard.
     *
     * <p>Rows may be added to an inverse collection that has not been read; they are checked as rows.
     */
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

    /**
     * Checks a value by the kind of its attribute: an embeddable attribute by attribute, a collection element by
     * element, and anything else as a reference. What has not been fetched is unchanged, so it is left alone.
     */
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
        return sharding().referring().canRefer(part, session instanceof StatelessSession);
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

    /**
     * Compares the shard of a reference with that of the row. An id that is null is that of a row which is not
     * saved yet, so there is nothing to compare.
     */
    private void checkReference(String path, Object target) {
        LazyInitializer proxy = HibernateProxy.extractLazyInitializer(target);
        String name = proxy != null ? proxy.getEntityName() : session.guessEntityName(target);
        UnroutableIds.Rows own = sharding().unroutable(name);
        // Not sharded: a global row may be referred to from any shard, as it is read by its id.
        Object targetId = sharding().mappings().find(name) == null ? null : ShardChoice.idOf(name, target, session);
        Integer other = own == null
                ? RowTargets.shardOf(sharding(), name, targetId)
                : own.ofEntity(target, session.getFactory(), session);
        if (own != null && other == null) {
            throw new WrongShardException(path + ": the row " + reference() + " is in shard " + shard
                    + ", but refers to " + RowTargets.row(name, targetId)
                    + ", whose shard is not known: its id names none."
                    + " Load it in ShardContext.run(" + shard + ", …). Nothing was sent.");
        } else if (other != null && other != shard) {
            throw refused(path, name, targetId, other);
        }
    }

    private Object reference() {
        return id == null ? "a new row" : id;
    }

    private WrongShardException refused(String path, String name, @Nullable Object targetId, int other) {
        return new WrongShardException(path + ": the row " + reference() + " is in shard " + shard
                + ", but refers to " + name + "#" + targetId + " in shard " + other
                + ". Associations cannot cross shards: put @ShardKey on the association, if the row is to be stored with"
                + " the other one; or declare it @ForeignShard, if the other row belongs to its own shard; or keep only the"
                + " id in a plain Long. If it is the @ShardKey, a stored row stays in its shard: save a new row with the other"
                + " parent, and delete this one. Nothing was sent.");
    }

    /**
     * Checks a row that is about to be inserted, or written as a whole. Hibernate sets the id of a tenant later than that, and a row that is
     * inserted before its parent gets the reference to it by an update, in the same flush.
     */
    public void checkWhole(EntityPersister persister, @Nullable Object[] state, Object entity) {
        checkReferences(persister, state);
        ShardKeyAttribute key = routing.checkedKey();
        if (key == null) {
            return;
        }
        Object value = RowState.value(persister, state, key.name());
        Object later = key.kind() == ShardKeyAttribute.Kind.PARENT
                ? RowState.value(persister, entity, key.name())
                : ShardChoice.tenant(key, session);
        checkKey(persister, key, value == null ? later : value);
    }

    /**
     * Checks a row that is about to be updated: its key only if the old state does not show that it is unchanged.
     *
     * <p>An update that leaves the key alone costs no hash. A row that was imported with a wrong key can be changed
     * otherwise, and is refused only if its key is written.
     *
     * @param old the values that were read; null if they are not known
     */
    public void checkUpdate(EntityPersister persister, @Nullable Object[] state, @Nullable Object @Nullable [] old) {
        checkReferences(persister, state);
        ShardKeyAttribute key = routing.checkedKey();
        if (key == null || !persister.getPropertyUpdateability()[RowState.index(persister, key.name())]) {
            return;
        }
        Object value = RowState.value(persister, state, key.name());
        boolean unchanged = old != null && Objects.equals(RowState.value(persister, old, key.name()), value);
        if (!unchanged) {
            checkKey(persister, key, value);
        }
    }

    /**
     * Checks that a key names the shard of the row.
     *
     * @throws WrongShardException if it names another shard or none of this cluster, or is null although
     *     nothing else names the shard
     */
    private void checkKey(EntityPersister persister, ShardKeyAttribute key, @Nullable Object value) {
        if (value == null) {
            if (routing.own() == null || key.tenant()) {
                return; // names no shard, and no query looks for the row by it; or is not changed by an update
            }
            throw new WrongShardException(row(persister) + " is in shard " + shard
                    + ", but its shard key " + key
                    + " is null, and its id names no shard: nothing would say where it is."
                    + " Give the key a value of shard " + shard + ". Nothing of the row was sent.");
        } else if (key.kind() == ShardKeyAttribute.Kind.PARENT) {
            return;
        }
        String reason;
        try {
            int other = key.rule(sharding().cluster()).shardOf(value);
            if (other == shard) {
                return;
            }
            reason = "names shard " + other + ", where queries by it look for the row";
        } catch (UnknownShardException | MalformedIdException e) {
            reason = "names no shard of this cluster (" + e.getMessage() + ")";
        }
        throw new WrongShardException(row(persister)
                + (id == null ? " is about to be inserted into shard " : ": the id names shard ") + shard
                + ", but the shard key " + key + " = " + value + " " + reason
                + ". A row stays in its shard: give the key a value of shard " + shard
                + " before the entity is saved, not in a listener or interceptor, or save a new row without an id and delete"
                + " this one. Nothing of the row was sent.");
    }

    private String row(EntityPersister persister) {
        return id == null ? "A new " + persister.getEntityName() : RowTargets.row(persister.getEntityName(), id);
    }
}
