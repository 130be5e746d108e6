package io.github.shardedid.hibernate.internal.foreign;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.foreign.ForeignAttributes.Foreign;
import io.github.shardedid.hibernate.internal.mapping.EntityIds;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import java.util.List;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.FetchProfile;
import org.hibernate.mapping.ManyToOne;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.type.BasicType;

/** Refuses references to rows of other databases where they cannot work, and what would join the rows. */
public record ForeignChecks(Metadata metadata, List<Foreign> attributes, MappingProblems problems) {
    /** The attributes without problems. */
    public static List<Foreign> accepted(
            Metadata metadata, List<Foreign> attributes, ShardedMappings mappings, MappingProblems problems) {
        ForeignChecks checks = new ForeignChecks(metadata, attributes, problems);
        if (!attributes.isEmpty()) {
            metadata.getFetchProfiles().forEach(checks::checkProfile);
        }
        List<Foreign> accepted = attributes.stream()
                .filter(attribute -> problems.collect(() -> checks.check(attribute)))
                .toList();
        checkTargets(accepted, mappings, problems);
        return accepted;
    }

    private void check(Foreign attribute) {
        ManyToOne reference = attribute.reference();
        Collection collection = attribute.collection();
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
        if (collection == null && !reference.isLazy()) {
            throw refused(
                    attribute,
                    "is fetched eagerly, so each query would read a row of another shard for each of its results. Add fetch"
                            + " = FetchType.LAZY; rows are then loaded together, when the first one is used.");
        }
        if (collection != null) {
            check(attribute, collection);
        }
    }

    private void check(Foreign attribute, Collection collection) {
        PersistentClass target = metadata.getEntityBinding(attribute.target());
        boolean byTarget = collection.getManyToManyOrdering() != null
                || collection.getManyToManyWhere() != null
                || !collection.getManyToManyFilters().isEmpty()
                || (target != null && target.getRootClass().getSoftDeleteStrategy() != null)
                || (collection instanceof org.hibernate.mapping.Map map && map.getMapKeyPropertyName() != null);
        String why = collection.isInverse()
                ? "is the inverse side of an association, whose rows are in other shards. Remove the attribute, and query for"
                        + " the rows over all shards."
                : byTarget
                        ? "is ordered, restricted or keyed by columns of " + attribute.target()
                                + ", which are in other databases. Sort or filter the rows in the application."
                        : target == null || !(target.getIdentifier().getType() instanceof BasicType<?>)
                                ? "refers to rows with a composite id. Map the columns of the id instead."
                                : null;
        if (why != null) {
            throw refused(attribute, why);
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
    private static void checkTargets(List<Foreign> attributes, ShardedMappings mappings, MappingProblems problems) {
        for (Foreign attribute : attributes) {
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
}
