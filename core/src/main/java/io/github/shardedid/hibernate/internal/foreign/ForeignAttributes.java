package io.github.shardedid.hibernate.internal.foreign;

import io.github.shardedid.hibernate.internal.mapping.ForeignShardBinder;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.ManyToOne;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Value;
import org.jspecify.annotations.Nullable;

/** The attributes with {@code @ForeignShard}, which {@link ForeignChecks} has accepted, in Hibernate's boot model. */
public final class ForeignAttributes {
    /** As Hibernate names the attributes of an {@code @IdClass}. */
    private static final String IDENTIFIER_MAPPER = "_identifierMapper";

    private final Metadata metadata;
    private final List<Foreign> found = new ArrayList<>();

    /**
     * An attribute with {@code @ForeignShard}.
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

        @Override
        public String toString() {
            return owner.getEntityName() + "." + path;
        }
    }

    private ForeignAttributes(Metadata metadata) {
        this.metadata = metadata;
    }

    /** Reads and checks the attributes; those with problems are left out. */
    public static List<Foreign> read(Metadata metadata, MappingProblems problems) {
        ForeignAttributes attributes = new ForeignAttributes(metadata);
        attributes.collect();
        return ForeignChecks.accepted(metadata, attributes.found, problems);
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
        if (ForeignShardBinder.isForeign(property)) {
            ManyToOne reference = value instanceof ManyToOne one ? one : null;
            boolean ofId = inId || (reference != null && isOfId(owner, reference));
            found.add(new Foreign(owner, path, property, ofId, reference));
        }
        boolean ofIdClass = property.getName().equals(IDENTIFIER_MAPPER);
        collectWithin(owner, ofIdClass ? prefix : path + ".", value, inId);
    }

    /** The attributes of an {@code @IdClass} are also ordinary attributes in the model. */
    private static boolean isOfId(PersistentClass owner, ManyToOne reference) {
        return reference.getTable().equals(owner.getTable())
                && !Collections.disjoint(owner.getIdentifier().getColumns(), reference.getColumns());
    }

    private void collectWithin(PersistentClass owner, String prefix, @Nullable Value value, boolean inId) {
        if (value instanceof Component component) {
            component.getProperties().forEach(part -> collect(owner, prefix, part, inId));
        }
    }
}
