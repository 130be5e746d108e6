package io.github.shardedid.hibernate.internal.foreign;

import io.github.shardedid.hibernate.internal.mapping.ForeignShardBinder;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.ManyToOne;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Value;
import org.jspecify.annotations.Nullable;

/**
 * The attributes in Hibernate's boot model whose rows are in other shards or in the global database: those with
 * {@code @ForeignShard}, and join tables of sharded entities to global ones, which need no annotation.
 */
public final class ForeignAttributes {
    /** As Hibernate names the attributes of an {@code @IdClass}. */
    private static final String IDENTIFIER_MAPPER = "_identifierMapper";

    private final Metadata metadata;
    private final List<Foreign> found = new ArrayList<>();

    /**
     * A reference, or a collection of them, to rows of other databases.
     *
     * @param path the attribute within the entity; {@code address.author} within an embeddable
     * @param inId whether it is part of the entity's id
     * @param reference the reference to the other row; null if the attribute is no association
     */
    public record Foreign(
            PersistentClass owner, String path, Property property, boolean inId, @Nullable ManyToOne reference) {
        /** The collection of references; null for a single one. */
        public @Nullable Collection collection() {
            return property.getValue() instanceof Collection collection ? collection : null;
        }

        /** The name of the entity that is referred to. */
        public String target() {
            return Objects.requireNonNull(reference).getReferencedEntityName();
        }

        /** Whether it has {@code @ForeignShard}. */
        public boolean isAnnotated() {
            return ForeignShardBinder.isForeign(property);
        }

        @Override
        public String toString() {
            return owner.getEntityName() + "." + path;
        }
    }

    private final Predicate<Foreign> wanted;

    private ForeignAttributes(Metadata metadata, Predicate<Foreign> wanted) {
        this.metadata = metadata;
        this.wanted = wanted;
    }

    /** The attributes with {@code @ForeignShard}. */
    public static List<Foreign> annotated(Metadata metadata) {
        return read(metadata, Foreign::isAnnotated);
    }

    /** All attributes. */
    public static List<Foreign> of(Metadata metadata, ShardedMappings mappings) {
        return read(metadata, attribute -> attribute.isAnnotated() || isOfGlobalRows(attribute, mappings));
    }

    private static List<Foreign> read(Metadata metadata, Predicate<Foreign> wanted) {
        ForeignAttributes attributes = new ForeignAttributes(metadata, wanted);
        attributes.collect();
        return attributes.found;
    }

    private static boolean isOfGlobalRows(Foreign attribute, ShardedMappings mappings) {
        Collection collection = attribute.collection();
        return collection != null
                && attribute.reference() != null
                && !collection.isInverse()
                && mappings.find(attribute.owner().getEntityName()) != null
                && mappings.isGlobal(attribute.target());
    }

    private void collect() {
        for (PersistentClass entity : metadata.getEntityBindings()) {
            entity.getProperties().forEach(property -> collect(entity, "", property, false));
            entity.getJoins()
                    .forEach(join -> join.getProperties().forEach(property -> collect(entity, "", property, false)));
            if (entity == entity.getRootClass()) {
                Property id = entity.getIdentifierProperty();
                if (id != null) {
                    collect(entity, "", id, true);
                } else {
                    collectWithin(entity, "", entity.getIdentifier(), true);
                }
            }
        }
    }

    private void collect(PersistentClass owner, String prefix, Property property, boolean inId) {
        String path = prefix + property.getName();
        Value value = property.getValue() instanceof Collection rows ? rows.getElement() : property.getValue();
        ManyToOne reference = value instanceof ManyToOne one ? one : null;
        boolean ofId = inId || (reference != null && isOfId(owner, reference));
        Foreign attribute = new Foreign(owner, path, property, ofId, reference);
        if (wanted.test(attribute)) {
            found.add(attribute);
        }
        boolean ofIdClass = property.getName().equals(IDENTIFIER_MAPPER);
        collectWithin(owner, ofIdClass ? prefix : path + ".", value, inId);
    }

    /** The attributes of an {@code @IdClass} are also ordinary attributes in the model. */
    private static boolean isOfId(PersistentClass owner, ManyToOne reference) {
        return !reference.hasFormula()
                && reference.getTable().equals(owner.getTable())
                && !Collections.disjoint(owner.getIdentifier().getColumns(), reference.getColumns());
    }

    private void collectWithin(PersistentClass owner, String prefix, @Nullable Value value, boolean inId) {
        if (value instanceof Component component) {
            component.getProperties().forEach(part -> collect(owner, prefix, part, inId));
        }
    }
}
