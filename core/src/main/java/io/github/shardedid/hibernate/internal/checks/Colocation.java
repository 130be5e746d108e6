package io.github.shardedid.hibernate.internal.checks;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.mapping.Associations;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import java.util.HashSet;
import java.util.Set;
import org.hibernate.boot.Metadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks at start-up that the shard keys put both ends of each association into one shard; otherwise the first rows would be
 * refused at run time.
 */
record Colocation(ShardedMappings mappings) {
    private static final Logger LOG = LoggerFactory.getLogger(Colocation.class);

    static void check(Metadata metadata, ShardedMappings mappings, MappingProblems problems) {
        Colocation colocation = new Colocation(mappings);
        for (Associations.ToOneAttribute toOne : Associations.toOnes(metadata)) {
            ShardedMapping owner = mappings.find(toOne.owner().getEntityName());
            ShardedMapping target = mappings.find(toOne.value().getReferencedEntityName());
            if (owner != null
                    && target != null
                    && !toOne.value().hasFormula()
                    && !owner.table().equals(target.table())) {
                problems.collect(() -> colocation.check(toOne, owner, target));
            }
        }
    }

    private void check(Associations.ToOneAttribute toOne, ShardedMapping owner, ShardedMapping target) {
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
