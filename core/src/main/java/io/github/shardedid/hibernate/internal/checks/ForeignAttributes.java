package io.github.shardedid.hibernate.internal.checks;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.mapping.Associations;
import io.github.shardedid.hibernate.internal.mapping.EntityIds;
import io.github.shardedid.hibernate.internal.mapping.ForeignShardBinder;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.hibernate.FetchMode;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.FetchProfile;
import org.hibernate.mapping.ManyToOne;
import org.hibernate.mapping.OneToOne;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Value;
import org.jspecify.annotations.Nullable;

/**
 * The attributes in Hibernate's boot model whose rows are in other shards or in the global database: those with
 * {@code @ForeignShard}, and join tables of sharded entities to global ones, which need no annotation. They are
 *
 * <ol>
 *   <li>read from the boot model,
 *   <li>refused where they cannot work, with the inverse sides that would contain their rows,
 *   <li>changed in the boot model, so that Hibernate reads their rows by their ids.
 * </ol>
 */
final class ForeignAttributes {
    /** As many ids as a statement can contain without becoming slow; a session seldom shows more rows at a time. */
    private static final int BATCH_SIZE = 32;

    /** As Hibernate names the attributes of an {@code @IdClass}. */
    private static final String IDENTIFIER_MAPPER = "_identifierMapper";

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

        /** Returns whether it has {@code @ForeignShard}. */
        boolean isAnnotated() {
            return ForeignShardBinder.isForeign(property);
        }

        @Override
        public String toString() {
            return owner.getEntityName() + "." + path;
        }
    }

    private ForeignAttributes(Metadata metadata, ShardedMappings mappings, MappingProblems problems) {
        this.metadata = metadata;
        this.mappings = mappings;
        this.problems = problems;
    }

    /** Reads the attributes from the boot model. */
    static ForeignAttributes read(Metadata metadata, ShardedMappings mappings, MappingProblems problems) {
        ForeignAttributes read = new ForeignAttributes(metadata, mappings, problems);
        read.collect();
        return read;
    }

    /** Returns all attributes, also those that are refused. */
    List<Foreign> all() {
        return attributes;
    }

    private boolean isOfGlobalRows(Foreign attribute) {
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
        if (attribute.isAnnotated() || isOfGlobalRows(attribute)) {
            attributes.add(attribute);
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

    /** Refuses references where they cannot work, and what would join the rows. Returns the attributes without problems. */
    List<Foreign> accepted() {
        if (!attributes.isEmpty()) {
            metadata.getFetchProfiles().forEach(this::checkProfile);
        }
        List<Foreign> accepted = attributes.stream()
                .filter(attribute -> problems.collect(() -> check(attribute)))
                .toList();
        checkTargets(accepted);
        return accepted;
    }

    private void check(Foreign attribute) {
        ManyToOne reference = attribute.reference();
        if (attribute.collection() != null) {
            throw refused(
                    attribute,
                    "is a collection. Map the rows of its join table as an entity in the shard of their owner, with a lazy"
                            + " @ManyToOne for the other row, and query for them.");
        }
        if (attribute.inId() && !(attribute.owner().getIdentifier() instanceof Component)) {
            throw refused(
                    attribute,
                    "is the id. Give the row an id of its own, or a composite one whose other part decides the shard.");
        }
        if (reference == null || reference.hasFormula()) {
            throw refused(
                    attribute,
                    "is neither a @ManyToOne, nor a @OneToOne that owns its column, nor a collection with a join table that"
                            + " its entity owns. Remove @ForeignShard; the rows that refer to this one from other shards are"
                            + " found by a query over all shards.");
        }
        if (!reference.isReferenceToPrimaryKey()) {
            throw refused(attribute, "refers to another attribute than the id. Remove referencedColumnName.");
        }
        if (reference.getNotFoundAction() != null) {
            throw refused(
                    attribute,
                    "has @NotFound, which reads the row at once. Remove @NotFound, and handle the"
                            + " EntityNotFoundException of the first access to a row that is missing.");
        }
        String cascade = attribute.property().getCascade();
        if (cascade != null && !cascade.equals("none")) {
            throw refused(
                    attribute,
                    "cascades (" + cascade
                            + "), but a transaction writes to one shard. Remove cascade and orphanRemoval,"
                            + " and save the other row in a transaction of its own.");
        }
        if (!reference.isLazy()) {
            throw refused(
                    attribute,
                    "is fetched eagerly, so each query would read a row of another shard for each of its results. Add fetch"
                            + " = FetchType.LAZY; rows are then loaded together, when the first one is used.");
        }
    }

    private void checkProfile(FetchProfile profile) {
        for (FetchProfile.Fetch fetch : profile.getFetches()) {
            for (Foreign attribute : attributes) {
                if (attribute.path().equals(fetch.getAssociation())
                        && attribute.owner().getEntityName().equals(fetch.getEntity())) {
                    problems.collect(() -> {
                        throw refused(attribute, "is in the fetch profile " + profile.getName() + ". Remove it there.");
                    });
                }
            }
        }
    }

    /** Refuses references that cross nothing. */
    private void checkTargets(List<Foreign> accepted) {
        for (Foreign attribute : accepted) {
            if (mappings.isGlobal(attribute.owner().getEntityName()) && mappings.isGlobal(attribute.target())) {
                problems.collect(() -> {
                    throw refused(attribute, "leads from one global entity to another. Remove @ForeignShard.");
                });
            }
            if (attribute.inId()
                    && mappings.isGlobal(attribute.owner().getEntityName())
                    && !EntityIds.isDeclaredGlobal(attribute.owner())) {
                problems.collect(() -> {
                    throw refused(
                            attribute,
                            "is part of the id, and no other part says in which shard a row is. Put @ShardKey on the part"
                                    + " that does, or @GlobalEntity on the class if its rows belong in the global database.");
                });
            }
        }
    }

    private static ShardedIdMappingException refused(Foreign attribute, String why) {
        return new ShardedIdMappingException(attribute
                + (attribute.isAnnotated()
                        ? " has @ForeignShard, but "
                        : " refers to rows of the global entity " + attribute.target() + ", but ")
                + why);
    }

    /** Refuses the inverse sides: the rows that they would contain are in other shards. Returns the paths of the inverse sides. */
    Set<String> refuseInverseSides() {
        Set<String> found = new HashSet<>();
        if (!attributes.isEmpty()) {
            metadata.getEntityBindings().forEach(entity -> checkInverse(entity, found));
            metadata.getCollectionBindings().forEach(collection -> checkInverse(collection, found));
        }
        return found;
    }

    private void checkInverse(PersistentClass entity, Set<String> found) {
        for (Property property : entity.getProperties()) {
            if (property.getValue() instanceof OneToOne inverse) {
                checkInverse(
                        entity.getEntityName() + "." + property.getName(),
                        inverse.getReferencedEntityName(),
                        inverse.getMappedByProperty(),
                        found);
            }
        }
    }

    private void checkInverse(Collection collection, Set<String> found) {
        String element = Associations.referenced(collection.getElement());
        if (element != null) {
            checkInverse(collection.getRole(), element, collection.getMappedByProperty(), found);
        }
    }

    private void checkInverse(String path, String entity, @Nullable String mappedBy, Set<String> found) {
        for (Foreign attribute : attributes) {
            if (attribute.path().equals(mappedBy) && isA(entity, attribute.owner())) {
                found.add(path);
                problems.collect(() -> {
                    throw new ShardedIdMappingException(path + " is the inverse side of " + attribute
                            + ", "
                            + (attribute.isAnnotated()
                                    ? "which has @ForeignShard: the rows that it would contain are in other shards."
                                    : "which is stored in the shards of " + entity
                                            + ": the rows that it would contain are in all of them.")
                            + " Remove " + path
                            + ", and query for the rows over all shards (@AllShards in a repository).");
                });
            }
        }
    }

    private boolean isA(String entity, PersistentClass owner) {
        for (PersistentClass at = metadata.getEntityBinding(entity); at != null; at = at.getSuperclass()) {
            if (at == owner) {
                return true;
            }
        }
        return false;
    }

    /**
     * Changes the boot model so that no statement joins rows of other databases: they are read by a second select.
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
