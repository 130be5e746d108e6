package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.ToOne;

/**
 * Refuses what makes Hibernate remember rows by something other than their ids. Such a memory knows no shard: what it
 * learnt in one shard it would answer in another, which may have another row for the same value.
 */
final class UnshardedLookups {
    private UnshardedLookups() {}

    /** Checks the attributes of a sharded entity. */
    static void refuse(PersistentClass entity) {
        for (Property property : entity.getPropertyClosure()) {
            String place = entity.getEntityName() + "." + property.getName();
            if (property.isNaturalIdentifier()) {
                throw new ShardedIdMappingException(place + " has @NaturalId, but " + entity.getEntityName()
                        + " is sharded: each shard may have a row of that value, and a session remembers one of them."
                        + " Remove @NaturalId, keep the unique constraint, and query for the value in its shard.");
            }
            if (property.getValue() instanceof ToOne toOne && isByAnotherAttribute(toOne)) {
                throw new ShardedIdMappingException(place + " refers to " + toOne.getReferencedEntityName()
                        + " by another attribute than its id, which tells no shard: each shard may have a row of that"
                        + " value. Refer to the id: remove referencedColumnName from @JoinColumn.");
            }
        }
    }

    /** The inverse side of a one-to-one association refers to the other side's association, which is this side's id. */
    private static boolean isByAnotherAttribute(ToOne toOne) {
        return toOne instanceof org.hibernate.mapping.ManyToOne
                && toOne.getReferencedPropertyName() != null
                && !toOne.isReferenceToPrimaryKey();
    }

    /** Checks the settings of a session factory with sharded entities. */
    static void refuse(SessionFactoryOptions options) {
        if (options.isQueryCacheEnabled()) {
            throw new ShardedIdMappingException("hibernate.cache.use_query_cache is true, but entities are sharded: the"
                    + " query cache knows no shard, and would give one shard's result as another's. Set it to false; the"
                    + " second-level cache of entities and collections may stay on.");
        }
    }
}
