package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.ToOne;

/**
 * Refuses mappings and settings with which Hibernate caches rows by another value than their id. Such a cache knows no shard, and
 * would return a row of one shard in another one, which may have another row with the same value.
 */
public final class UnshardedLookups {
    private UnshardedLookups() {}

    /** Checks the attributes of a sharded entity. */
    static void refuse(PersistentClass entity, MappingProblems problems) {
        entity.getPropertyClosure().forEach(property -> problems.collect(() -> refuse(entity, property)));
    }

    private static void refuse(PersistentClass entity, Property property) {
        String path = entity.getEntityName() + "." + property.getName();
        if (property.getValue() instanceof ToOne toOne && isByAnotherAttribute(toOne)) {
            throw new ShardedIdMappingException(path + " refers to " + toOne.getReferencedEntityName()
                    + " by another attribute than its id, which names no shard: each shard may have a row with that"
                    + " value. Refer to the id: remove referencedColumnName from @JoinColumn.");
        }
    }

    /** Not the inverse side of a one-to-one association: it refers to the other side's association, which contains this side's id. */
    private static boolean isByAnotherAttribute(ToOne toOne) {
        return toOne instanceof org.hibernate.mapping.ManyToOne
                && toOne.getReferencedPropertyName() != null
                && !toOne.isReferenceToPrimaryKey();
    }

    /** Checks the settings of a session factory with sharded entities. */
    public static void refuse(SessionFactoryOptions options) {
        if (options.isQueryCacheEnabled()) {
            throw new ShardedIdMappingException("hibernate.cache.use_query_cache is true, but entities are sharded: the"
                    + " query cache knows no shard, and would return one shard's result in another one. Set it to false; the"
                    + " second-level cache of entities and collections can stay enabled.");
        }
    }
}
