package io.github.shardedid.hibernate.internal.checks;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.checks.ForeignAttributes.Foreign;
import io.github.shardedid.hibernate.internal.mapping.Associations;
import io.github.shardedid.hibernate.internal.mapping.Associations.MappedValue;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.IndexedCollection;
import org.hibernate.mapping.OneToOne;
import org.hibernate.mapping.ToOne;
import org.jspecify.annotations.Nullable;

/**
 * Refuses associations to rows of other databases that would need a join, or a query in every shard, and associations of sharded entities
 * whose shard keys put the two rows into one shard only by chance.
 *
 * <p>Such mappings would start, and fail or return too little at run time: with the
 * first row that is in another database. So they are refused at the start, with the ways out.
 *
 * @param mappings the sharded and global entities
 * @param foreign the associations to other shards that are declared as such, which other checks allow or refuse
 * @param problems collects what is refused
 */
record AssociationChecks(ShardedMappings mappings, ForeignAttributes foreign, MappingProblems problems) {
    /**
     * Checks all associations of the boot model. A to-one association by the id that owns its column is read by
     * that id, wherever its row is.
     */
    void check(Metadata metadata) {
        for (MappedValue<ToOne> toOne : Associations.toOnes(metadata)) {
            String mappedBy = toOne.value() instanceof OneToOne inverse ? inverse.getMappedByProperty() : null;
            if (toOne.value() instanceof OneToOne || !toOne.value().isReferenceToPrimaryKey()) {
                check(
                        toOne.toString(),
                        toOne.owner().getEntityName(),
                        toOne.value().getReferencedEntityName(),
                        mappedBy);
            }
            problems.collect(() -> checkColocation(toOne));
        }
        Set<@Nullable Collection> ofForeign =
                foreign.all().stream().map(Foreign::collection).collect(Collectors.toSet());
        for (Collection collection : metadata.getCollectionBindings()) {
            String owner = collection.getOwnerEntityName();
            boolean refused = !ofForeign.contains(collection)
                    && !isJoinedWithCopies(collection)
                    && check(
                            collection.getRole(),
                            owner,
                            Associations.referenced(collection.getElement()),
                            collection.getMappedByProperty());
            if (!refused && collection instanceof IndexedCollection indexed) {
                String key = Associations.referenced(indexed.getIndex());
                check(collection.getRole(), owner, mappings.isReplicated(key) ? null : key, null);
            }
        }
    }

    /** Returns whether a collection has a table in the shard of its owner, which is joined with the copy of a replicated table there. */
    private boolean isJoinedWithCopies(Collection collection) {
        return mappings.isReplicated(Associations.referenced(collection.getElement()))
                && !mappings.isGlobal(collection.getOwnerEntityName())
                && !collection.isOneToMany()
                && !collection.isInverse();
    }

    /**
     * Returns whether an association is refused.
     *
     * <p>Both ends have to be sharded or both global, and the other side of an association to another shard does
     * not exist: it would be a collection of rows of all shards.
     *
     * @param target the entity that is referred to; null for other values
     * @param mappedBy the attribute of the target that owns the association; null if there is none
     */
    private boolean check(String path, String owner, @Nullable String target, @Nullable String mappedBy) {
        if (target == null
                || (mappings.isGlobal(owner) == mappings.isGlobal(target) && !foreign.isInverse(target, mappedBy))) {
            return false;
        }
        problems.add(path + " leads from the " + kind(owner) + " entity " + owner
                + " to the " + kind(target) + " entity " + target
                + ", whose rows are in other databases, so they would have to be joined, or asked for in every"
                + " shard. Only an association to the id that owns its column can be read by the id, with @ForeignShard to"
                + " a sharded entity. Map the rows of a join table as an entity with a @ManyToOne for each of the two;"
                + " else remove the attribute, and query for the rows over all shards (@AllShards in a repository), or use"
                + " the id as the key of a map."
                + (mappings.isGlobal(target)
                        ? " Or give the global entity @GlobalEntity(replicated = true); if it has that, a warning in the log says"
                                + " which database lacks the copies, and why."
                        : ""));
        return true;
    }

    /**
     * Refuses an association between a row that is sharded by a number and one that is sharded by a text: its first row would be
     * refused. Keys of one kind may still have different values, which is found when a row is written. Both ends in one table
     * are a tree, whose rows follow their parents.
     */
    private void checkColocation(MappedValue<ToOne> toOne) {
        ShardedMapping owner = mappings.find(toOne.owner().getEntityName());
        ShardedMapping target = mappings.find(toOne.value().getReferencedEntityName());
        ShardKeyAttribute one = root(owner);
        ShardKeyAttribute other = root(target);
        if (owner != null
                && target != null
                && one != null
                && other != null
                && one.kind() != other.kind()
                && !toOne.value().hasFormula()
                && !owner.table().equals(target.table())) {
            throw new ShardedIdMappingException(
                    toOne + " refers to " + target.entityName()
                            + ", but their rows are in one shard only by chance: the shard of " + owner.entityName()
                            + " is determined by " + text(one) + ", that of " + target.entityName() + " by "
                            + text(other)
                            + ". Give both the same shard key, declare the association @ForeignShard, or keep the other's id in a plain Long.");
        }
    }

    /** Returns the key at the end of the chain of parents and references; null if there is none, or the chain is a circle. */
    private @Nullable ShardKeyAttribute root(@Nullable ShardedMapping entity) {
        Set<String> seen = new HashSet<>();
        ShardKeyAttribute key = entity == null ? null : entity.key();
        while (key != null && key.target() != null && seen.add(key.target())) {
            ShardedMapping parent = mappings.find(key.target());
            key = parent == null ? null : parent.key();
        }
        return key == null || key.target() != null ? null : key;
    }

    private static String text(ShardKeyAttribute key) {
        return (key.kind() == ShardKeyAttribute.Kind.NUMBER ? "the number " : "the hash of ") + key;
    }

    private String kind(String entity) {
        return mappings.isGlobal(entity) ? "global" : "sharded";
    }
}
