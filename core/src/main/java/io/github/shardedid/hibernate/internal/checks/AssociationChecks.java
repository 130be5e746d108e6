package io.github.shardedid.hibernate.internal.checks;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.checks.ForeignAttributes.Foreign;
import io.github.shardedid.hibernate.internal.mapping.Associations;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.IndexedCollection;
import org.hibernate.mapping.ManyToOne;
import org.hibernate.mapping.OneToOne;
import org.hibernate.mapping.Value;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses associations between sharded and global entities that would need a join, or a query in every shard, and associations of sharded
 * entities whose shard keys put the two rows into one shard only by chance.
 */
record AssociationChecks(
        ShardedMappings mappings, List<Foreign> foreign, Set<String> inverse, MappingProblems problems) {
    private static final Logger LOG = LoggerFactory.getLogger(AssociationChecks.class);

    void check(Metadata metadata) {
        Set<@Nullable Collection> ofForeign =
                foreign.stream().map(Foreign::collection).collect(Collectors.toSet());
        for (Associations.ToOneAttribute toOne : Associations.toOnes(metadata)) {
            String owner = toOne.owner().getEntityName();
            String target = toOne.value().getReferencedEntityName();
            if ((toOne.value() instanceof OneToOne || !toOne.value().isReferenceToPrimaryKey())
                    && !inverse.contains(toOne.path())
                    && crosses(owner, target)) {
                problems.collect(() -> {
                    throw refused(
                            toOne.path(),
                            owner,
                            target,
                            "Only an association to the id, which owns its column, can be read by the id. Remove the"
                                    + " attribute, and query for the row instead.");
                });
            }
        }
        Associations.toOnes(metadata).forEach(this::checkColocation);
        for (Collection collection : metadata.getCollectionBindings()) {
            if (!inverse.contains(collection.getRole())) {
                String owner = collection.getOwnerEntityName();
                if (!ofForeign.contains(collection)) {
                    problems.collect(() -> check(collection, owner));
                }
                if (collection instanceof IndexedCollection indexed) {
                    problems.collect(() -> checkKey(collection, owner, indexed.getIndex()));
                }
            }
        }
    }

    private void check(Collection collection, String owner) {
        String target = Associations.referenced(collection.getElement());
        if (target != null && crosses(owner, target)) {
            boolean owns = !collection.isInverse() && !collection.isOneToMany();
            throw refused(
                    collection.getRole(),
                    owner,
                    target,
                    owns && collection.getElement() instanceof ManyToOne
                            ? "Their rows are in different databases. Map the rows of the join table as an entity with a"
                                    + " @ManyToOne for each of the two."
                            : collection.isInverse()
                                    ? "The inverse side of an association would need a query in every shard. Remove the"
                                            + " attribute, and query for the rows instead."
                                    : "Their rows are in different databases, so that they cannot be joined. Remove the"
                                            + " attribute, and query for the rows instead.");
        }
    }

    private void checkKey(Collection collection, String owner, @Nullable Value key) {
        String target = Associations.referenced(key);
        if (target != null && crosses(owner, target)) {
            throw refused(
                    collection.getRole(),
                    owner,
                    target,
                    "The keys of a map would be joined. Use the id of the row as the key.");
        }
    }

    private boolean crosses(String owner, String target) {
        return mappings.isGlobal(owner) != mappings.isGlobal(target);
    }

    private ShardedIdMappingException refused(String path, String owner, String target, String wayOut) {
        return new ShardedIdMappingException(path + " leads from the " + kind(owner) + " entity " + owner + " to the "
                + kind(target) + " entity " + target + ". " + wayOut);
    }

    private String kind(String entity) {
        return mappings.isGlobal(entity) ? "global" : "sharded";
    }

    /** Checks that the shard keys put both ends of each association into one shard: otherwise the first rows would be refused. */
    private void checkColocation(Associations.ToOneAttribute toOne) {
        ShardedMapping owner = mappings.find(toOne.owner().getEntityName());
        ShardedMapping target = mappings.find(toOne.value().getReferencedEntityName());
        if (owner != null
                && target != null
                && !toOne.value().hasFormula()
                && !owner.table().equals(target.table())) {
            problems.collect(() -> checkColocation(toOne, owner, target));
        }
    }

    private void checkColocation(Associations.ToOneAttribute toOne, ShardedMapping owner, ShardedMapping target) {
        if (owner.key() == null) {
            withoutKey(toOne, target);
            return;
        }
        ShardKeyAttribute one = root(owner);
        ShardKeyAttribute other = root(target);
        if (one != null && other != null && one.kind() != other.kind()) {
            throw new ShardedIdMappingException(
                    toOne.path() + " refers to " + target.entityName()
                            + ", but their rows are in one shard only by chance: the shard of " + owner.entityName()
                            + " is determined by " + text(one) + ", that of " + target.entityName() + " by "
                            + text(other)
                            + ". Give both the same shard key, declare the association @ForeignShard, or keep the other's id in a plain Long.");
        }
    }

    /** Only a warning: a scope, or the owner from which the row is saved by cascade, may put it into the right shard. */
    private static void withoutKey(Associations.ToOneAttribute toOne, ShardedMapping target) {
        if (toOne.value().getColumnSpan() > 0) {
            LOG.warn(
                    "{} refers to {}, but {} has no @ShardKey: a new row is refused if it is placed in another shard than the"
                            + " row that it refers to. Put @ShardKey on the attribute, or save new rows by cascade or in"
                            + " ShardContext.run(shard, …)",
                    toOne.path(),
                    target.entityName(),
                    toOne.owner().getEntityName());
        }
    }

    /** The key at the end of the chain of parents and references; null if the last entity has none. */
    private @Nullable ShardKeyAttribute root(ShardedMapping entity) {
        Set<String> seen = new HashSet<>();
        ShardedMapping at = entity;
        while (at != null && seen.add(at.entityName())) {
            ShardKeyAttribute key = at.key();
            if (key == null || key.target() == null) {
                return key;
            }
            at = mappings.find(key.target());
        }
        return null;
    }

    private static String text(ShardKeyAttribute key) {
        return (key.kind() == ShardKeyAttribute.Kind.NUMBER ? "the number " : "the hash of ") + key;
    }
}
