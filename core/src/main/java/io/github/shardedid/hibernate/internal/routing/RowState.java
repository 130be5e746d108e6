package io.github.shardedid.hibernate.internal.routing;

import org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.EmbeddableMappingType;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Reads values from the state of a row, as Hibernate passes it to listeners, by path: {@code owner},
 * {@code address.owner}.
 *
 * <p>A shard key may be an attribute of an embeddable, which Hibernate's state holds as one object. An attribute
 * that is fetched lazily is not read for it: it counts as null.
 */
public final class RowState {
    private RowState() {}

    /** The index of the attribute in the state or, if it is within an embeddable, of the embeddable. */
    public static int index(EntityPersister persister, String path) {
        int dot = path.indexOf('.');
        return attribute(persister.findAttributeMapping(dot < 0 ? path : path.substring(0, dot)), path)
                .getStateArrayPosition();
    }

    /** The attribute's value; null if it is null or was not fetched. */
    public static @Nullable Object value(EntityPersister persister, @Nullable Object[] state, String path) {
        return within(persister, state[index(persister, path)], path);
    }

    /** The attribute's value in an entity; null if it is null or was not fetched. */
    public static @Nullable Object value(EntityPersister persister, Object entity, String path) {
        return within(persister, persister.getValue(entity, index(persister, path)), path);
    }

    /** The attribute's value in that of the first part of its path. */
    public static @Nullable Object within(EntityPersister persister, @Nullable Object first, String path) {
        int dot = path.indexOf('.');
        Object value = first;
        // Most keys are not in an embeddable and need no second look-up.
        AttributeMapping attribute = dot < 0 ? null : persister.findAttributeMapping(path.substring(0, dot));
        while (dot >= 0 && value != null && value != LazyPropertyInitializer.UNFETCHED_PROPERTY) {
            int next = path.indexOf('.', dot + 1);
            String part = next < 0 ? path.substring(dot + 1) : path.substring(dot + 1, next);
            EmbeddableMappingType type =
                    (EmbeddableMappingType) attribute(attribute, path).getMappedType();
            attribute = attribute(type.findAttributeMapping(part), path);
            value = has(type, value, attribute) ? attribute.getValue(value) : null;
            dot = next;
        }
        return value == LazyPropertyInitializer.UNFETCHED_PROPERTY ? null : value;
    }

    /** Returns whether an embeddable has an attribute; in a hierarchy of embeddables, another subclass may declare it. */
    public static boolean has(EmbeddableMappingType type, Object embeddable, AttributeMapping attribute) {
        return !type.isPolymorphic()
                || type.findSubtypeBySubclass(embeddable.getClass().getName()).declaresAttribute(attribute);
    }

    /** Returns a found attribute. The boot model has it, so a missing one is an error of this integration. */
    private static AttributeMapping attribute(@Nullable AttributeMapping found, String path) {
        if (found == null) {
            throw new IllegalStateException("Hibernate does not know the attribute " + path + ".");
        }
        return found;
    }
}
