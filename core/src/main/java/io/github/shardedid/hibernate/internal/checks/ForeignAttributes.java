package io.github.shardedid.hibernate.internal.checks;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.mapping.Associations;
import io.github.shardedid.hibernate.internal.mapping.Associations.MappedValue;
import io.github.shardedid.hibernate.internal.mapping.EntityIds;
import io.github.shardedid.hibernate.internal.mapping.ForeignShardBinder;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.hibernate.FetchMode;
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
 * {@code @ForeignShard}. They are
 *
 * <ol>
 *   <li>read from the boot model,
 *   <li>refused where they cannot work,
 *   <li>changed in the boot model, so that Hibernate reads their rows by their ids.
 * </ol>
 *
 * <p>Hibernate would join the row of such an attribute, or find it by a query in the shard of the referring row:
 * both return nothing if the row is in another shard. What remains is a lazy reference by the id that owns its
 * column, which is read by a statement of its own, in the shard of its id.
 */
final class ForeignAttributes {
    /** As many ids as a statement can contain without becoming slow; a session seldom shows more rows at a time. */
    private static final int BATCH_SIZE = 32;

    private final Metadata metadata;
    private final ShardedMappings mappings;
    private final MappingProblems problems;
    private final List<Foreign> attributes = new ArrayList<>();

    /**
     * A reference, or a collection of them, to rows of other databases.
     *
     * @param path the attribute within the entity; {@code address.author} within an embeddable
     * @param inId whether it is part of the entity's id
     * @param reference the reference to the other row; null if the attribute is no association
     */
    record Foreign(PersistentClass owner, String path, Property property, boolean inId, @Nullable ManyToOne reference) {
        /** The collection of references; null for a single one. */
        @Nullable
        Collection collection() {
            return property.getValue() instanceof Collection collection ? collection : null;
        }

        /** The name of the entity that is referred to. */
        String target() {
            return Objects.requireNonNull(reference).getReferencedEntityName();
        }

        @Override
        public String toString() {
            return owner.getEntityName() + "." + path;
        }
    }

    /** Reads the attributes from the boot model, those of secondary tables and of the id included. */
    ForeignAttributes(Metadata metadata, ShardedMappings mappings, MappingProblems problems) {
        this.metadata = metadata;
        this.mappings = mappings;
        this.problems = problems;
        for (MappedValue<?> each : Associations.values(metadata)) {
            Property property = each.property();
            if (property != null && ForeignShardBinder.isForeign(property) && each.value() == property.getValue()) {
                Value value = property.getValue() instanceof Collection rows ? rows.getElement() : property.getValue();
                ManyToOne reference = value instanceof ManyToOne one ? one : null;
                boolean inId = each.inId() || (reference != null && isOfId(each.owner(), reference));
                attributes.add(new Foreign(each.owner(), each.path(), property, inId, reference));
            }
        }
    }

    /** Returns all attributes, also those that are refused. */
    List<Foreign> all() {
        return attributes;
    }

    /** The attributes of an {@code @IdClass} are also ordinary attributes in the model. */
    private static boolean isOfId(PersistentClass owner, ManyToOne reference) {
        return !reference.hasFormula()
                && reference.getTable().equals(owner.getTable())
                && !Collections.disjoint(owner.getIdentifier().getColumns(), reference.getColumns());
    }

    /** Refuses references where they cannot work. */
    void check() {
        attributes.forEach(attribute -> problems.collect(() -> check(attribute)));
    }

    /**
     * Only a lazy reference is read after the query, and one transaction writes one shard.
     *
     * <p>So only what is known to work is allowed, and anything else is refused, as new kinds of mappings would be.
     */
    private void check(Foreign attribute) {
        if (!isKnownToWork(attribute) || isFetchedByProfile(attribute)) {
            throw new ShardedIdMappingException(
                    attribute + " has @ForeignShard, which is known to work only on a lazy @ManyToOne"
                            + " or @OneToOne that owns its column, to an entity whose id names its shard: without cascade, orphanRemoval, @NotFound, referencedColumnName and a"
                            + " fetch profile, not between two global entities, and not as the part of an id that decides the shard."
                            + " Remove what does not fit, and save the other row in a transaction of its own. Map the rows of a join table"
                            + " as an entity in the shard of their owner, with a lazy @ManyToOne for the other row. If no other part of"
                            + " the id names the shard, put @ShardKey on one that does, or @GlobalEntity on the class.");
        }
    }

    /**
     * Returns whether an attribute is a lazy reference by an id that names its shard, and nothing that Hibernate
     * does with it needs both rows in one database or in one transaction.
     */
    private boolean isKnownToWork(Foreign attribute) {
        PersistentClass owner = attribute.owner();
        ManyToOne reference = attribute.reference();
        String cascade = attribute.property().getCascade();
        boolean global = mappings.isGlobal(owner.getEntityName());
        ShardedMapping target = reference == null ? null : mappings.find(attribute.target());
        return reference != null
                && attribute.collection() == null
                && reference.isLazy()
                && !reference.hasFormula()
                && reference.isReferenceToPrimaryKey()
                && reference.getNotFoundAction() == null
                && (cascade == null || cascade.equals("none"))
                && (target == null || target.idNamesShard())
                && !(global && mappings.isGlobal(attribute.target()))
                && !(attribute.inId()
                        && (!(owner.getIdentifier() instanceof Component)
                                || (global && !EntityIds.isDeclaredGlobal(owner))));
    }

    /** Returns whether a fetch profile names the attribute: it fetches by a join, whatever the attribute says. */
    private boolean isFetchedByProfile(Foreign attribute) {
        return metadata.getFetchProfiles().stream()
                .flatMap(profile -> profile.getFetches().stream())
                .anyMatch(fetch -> attribute.path().equals(fetch.getAssociation())
                        && attribute.owner().getEntityName().equals(fetch.getEntity()));
    }

    /** Returns whether an attribute that is mapped by another one would contain rows of other shards. */
    boolean isInverse(String entity, @Nullable String mappedBy) {
        return attributes.stream()
                .anyMatch(attribute -> attribute.path().equals(mappedBy) && isA(entity, attribute.owner()));
    }

    /**
     * Returns whether an entity is a class or a subclass of it: an inherited attribute is in the boot model of
     * its superclass only.
     */
    private boolean isA(String entity, PersistentClass owner) {
        PersistentClass at = metadata.getEntityBinding(entity);
        while (at != null && at != owner) {
            at = at.getSuperclass();
        }
        return at != null;
    }

    /**
     * Changes the boot model so that no statement joins rows of other databases: they are read by a second select.
     *
     * <p>Without batch fetching, a list of rows would read each of the others by a statement of its own; a batch
     * size that the application has set remains. Called only if no problem was found.
     *
     * @param defaultBatchSize the size that Hibernate has for entities without one
     */
    void prepare(int defaultBatchSize) {
        for (Foreign attribute : attributes) {
            ManyToOne reference = Objects.requireNonNull(attribute.reference());
            PersistentClass target = metadata.getEntityBinding(reference.getReferencedEntityName());
            if (defaultBatchSize <= 1 && target.getBatchSize() <= 1) {
                target.setBatchSize(BATCH_SIZE);
            }
            reference.setFetchMode(FetchMode.SELECT);
        }
    }
}
