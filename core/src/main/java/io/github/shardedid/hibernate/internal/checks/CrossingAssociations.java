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
import org.hibernate.mapping.OneToOne;
import org.hibernate.mapping.Value;
import org.jspecify.annotations.Nullable;

/** Refuses associations between sharded and global entities that would need a join, or a query in every shard. */
final class CrossingAssociations {
    private CrossingAssociations() {}

    static void check(Metadata metadata, ShardedMappings mappings, List<Foreign> foreign, MappingProblems problems) {
        Set<@Nullable Collection> ofForeign =
                foreign.stream().map(Foreign::collection).collect(Collectors.toSet());
        for (Associations.ToOneAttribute toOne : Associations.toOnes(metadata)) {
            String target = toOne.value().getReferencedEntityName();
            if ((toOne.value() instanceof OneToOne || !toOne.value().isReferenceToPrimaryKey())
                    && crosses(mappings, toOne.owner().getEntityName(), target)) {
                problems.collect(() -> {
                    throw refused(mappings, toOne.path(), toOne.owner().getEntityName(), target);
                });
            }
        }
        for (Collection collection : metadata.getCollectionBindings()) {
            if (ofForeign.contains(collection)) {
                continue;
            }
            String owner = collection.getOwnerEntityName();
            problems.collect(() -> check(mappings, collection, owner, collection.getElement()));
            if (collection instanceof IndexedCollection indexed) {
                problems.collect(() -> check(mappings, collection, owner, indexed.getIndex()));
            }
        }
    }

    private static void check(ShardedMappings mappings, Collection collection, String owner, @Nullable Value part) {
        String target = Associations.referenced(part);
        if (target != null && crosses(mappings, owner, target)) {
            throw refused(mappings, collection.getRole(), owner, target);
        }
    }

    private static boolean crosses(ShardedMappings mappings, String owner, String target) {
        return mappings.isGlobal(owner) != mappings.isGlobal(target);
    }

    private static ShardedIdMappingException refused(
            ShardedMappings mappings, String path, String owner, String target) {
        return new ShardedIdMappingException(path + " leads from the "
                + kind(mappings, owner) + " entity " + owner + " to the " + kind(mappings, target) + " entity " + target
                + ". Only a @ManyToOne to the id, or a @OneToOne that owns its column, can be loaded by the id. The"
                + " inverse side and collections, except a @ManyToMany with @ForeignShard, would need a join, or a query in every shard: remove the attribute, and"
                + " query for the rows instead.");
    }

    private static String kind(ShardedMappings mappings, String entity) {
        return mappings.isGlobal(entity) ? "global" : "sharded";
    }
}
