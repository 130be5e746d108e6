package io.github.shardedid.hibernate.internal.rehearsal;

import io.github.shardedid.hibernate.internal.mapping.ReferringAttributes;
import io.github.shardedid.hibernate.internal.routing.RowState;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer;
import org.hibernate.collection.spi.PersistentCollection;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.EmbeddableMappingType;
import org.hibernate.metamodel.mapping.EmbeddableValuedModelPart;
import org.hibernate.metamodel.mapping.EntityValuedModelPart;
import org.hibernate.metamodel.mapping.ModelPart;
import org.hibernate.metamodel.mapping.PluralAttributeMapping;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * The sharded rows that a row refers to, and that have to be in its shard: by its to-one associations, also within embeddables, and by
 * the elements of its collections. Loads nothing.
 */
record ReferredRows(ReferringAttributes referring) {
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
        if (value == null || value == LazyPropertyInitializer.UNFETCHED_PROPERTY || !referring.canRefer(part, false)) {
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
