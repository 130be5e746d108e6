package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import java.util.HashSet;
import java.util.Set;
import org.hibernate.boot.Metadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether both ends of each association between sharded entities can be in one shard by something better than
 * chance: nothing else would be found before the first rows are refused.
 */
final class Colocation {
    private static final Logger LOG = LoggerFactory.getLogger(Colocation.class);

    private final ShardedMappings mappings;

    private Colocation(ShardedMappings mappings) {
        this.mappings = mappings;
    }

    static void check(Metadata metadata, ShardedMappings mappings) {
        Colocation colocation = new Colocation(mappings);
        for (Associations.ToOneAttribute toOne : Associations.toOnes(metadata)) {
            ShardedMapping owner = mappings.find(toOne.owner().getEntityName());
            ShardedMapping target = mappings.find(toOne.value().getReferencedEntityName());
            if (owner != null
                    && target != null
                    && !toOne.value().hasFormula()
                    && !owner.table().equals(target.table())) {
                colocation.check(toOne, owner, target);
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
            throw new ShardedIdMappingException(toOne.path() + " refers to " + target.entityName()
                    + ", but rows of the two are in one shard only by chance: " + owner.entityName() + " is placed by "
                    + text(one) + ", " + target.entityName() + " by " + text(other)
                    + ". Give both the same shard key, or keep the other's id in a plain Long.");
        }
    }

    /** A scope, or the owner of a collection that it is saved with, may still place the row rightly. */
    private static void withoutKey(Associations.ToOneAttribute toOne, ShardedMapping target) {
        if (toOne.value().getColumnSpan() > 0) {
            LOG.warn(
                    "{} refers to {}, but {} has no @ShardKey: unless a new row is saved with the other or in"
                            + " ShardContext.run(shard, …), it is placed anywhere, and refused where the other is not."
                            + " Put @ShardKey on the attribute, so that it lives with the other",
                    toOne.path(),
                    target.entityName(),
                    toOne.owner().getEntityName());
        }
    }

    /** The key that decides in the end, over parents and references; null if that is a placement. */
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
