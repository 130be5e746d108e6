package io.github.shardedid.hibernate.internal.checks;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.foreign.ForeignAttributes.Foreign;
import io.github.shardedid.hibernate.internal.mapping.Associations;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
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

/** Refuses associations between sharded and global entities that would need a join, or a query in every shard. */
record CrossingAssociations(
        ShardedMappings mappings, List<Foreign> foreign, Set<String> inverse, MappingProblems problems) {
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
                            ? "Its rows are in many shards. Put @ForeignShard on the attribute: the join table is then in"
                                    + " the global database, and the rows are read from their shards."
                            : collection.isInverse()
                                    ? "The inverse side of an association would need a query in every shard. Remove the"
                                            + " attribute, and query for the rows instead."
                                    : "Their rows are in different databases, so that they cannot be joined. Use a"
                                            + " @ManyToMany with a join table, or remove the attribute and query for the"
                                            + " rows instead.");
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
}
