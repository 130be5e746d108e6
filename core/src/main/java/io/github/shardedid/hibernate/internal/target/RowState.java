package io.github.shardedid.hibernate.internal.target;

import org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.EmbeddableMappingType;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/** Values in the state of a row as Hibernate hands it to listeners, by an attribute's path: {@code owner}, {@code place.owner}. */
public final class RowState {
    private RowState() {}

    /** Where the state has the attribute or, if it is within an embeddable, the embeddable. */
    public static int index(EntityPersister persister, String path) {
        int dot = path.indexOf('.');
        return attribute(persister.findAttributeMapping(dot < 0 ? path : path.substring(0, dot)), path)
                .getStateArrayPosition();
    }

    /** The attribute's value; null if it has none, or was not fetched. */
    public static @Nullable Object value(EntityPersister persister, @Nullable Object[] state, String path) {
        return within(persister, state[index(persister, path)], path);
    }

    /** The same of an entity. */
    public static @Nullable Object value(EntityPersister persister, Object entity, String path) {
        return within(persister, persister.getValue(entity, index(persister, path)), path);
    }

    private static @Nullable Object within(EntityPersister persister, @Nullable Object first, String path) {
        int dot = path.indexOf('.');
        Object value = first;
        // Most keys are within nothing: then it need not be looked up a second time.
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

    /** Whether an embeddable has an attribute, which another subclass of its class may have alone. */
    public static boolean has(EmbeddableMappingType type, Object embeddable, AttributeMapping attribute) {
        return !type.isPolymorphic()
                || type.findSubtypeBySubclass(embeddable.getClass().getName()).declaresAttribute(attribute);
    }

    private static AttributeMapping attribute(@Nullable AttributeMapping found, String path) {
        if (found == null) {
            throw new IllegalStateException("Hibernate does not know the attribute " + path + " any more");
        }
        return found;
    }
}
