package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import java.util.function.Predicate;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.ManyToOne;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.ToOne;

/**
 * Refuses mappings and settings with which Hibernate finds rows by another value than their id. Such a value knows no shard: it would
 * find a row of one shard in another one, or another row in the database to which a shard has moved.
 */
public final class UnshardedLookups {
    private UnshardedLookups() {}

    /** Checks the sharded entities. */
    static void refuse(Metadata metadata, Predicate<PersistentClass> sharded, MappingProblems problems) {
        for (PersistentClass entity : metadata.getEntityBindings()) {
            if (sharded.test(entity)) {
                problems.collect(() -> refuseRowId(entity));
            }
        }
        for (Associations.ToOneAttribute toOne : Associations.toOnes(metadata)) {
            if (sharded.test(toOne.owner()) && isByAnotherAttribute(toOne.value())) {
                problems.collect(() -> {
                    throw byAnotherAttribute(
                            toOne.path() + " refers to " + toOne.value().getReferencedEntityName());
                });
            }
        }
        for (Collection collection : metadata.getCollectionBindings()) {
            // The attribute on the other side of an inverse collection is refused.
            if (sharded.test(collection.getOwner())
                    && !collection.isInverse()
                    && collection.getReferencedPropertyName() != null) {
                problems.collect(() -> {
                    throw byAnotherAttribute(
                            "The rows of " + collection.getRole() + " refer to " + collection.getOwnerEntityName());
                });
            }
        }
    }

    private static ShardedIdMappingException byAnotherAttribute(String what) {
        return new ShardedIdMappingException(
                what + " by another attribute than its id, which names no shard: each shard may have a row with that"
                        + " value. Refer to the id: remove referencedColumnName from @JoinColumn. Or, to read rows of the same shard,"
                        + " in which the value is unique, let the database find the id: replace @JoinColumn by"
                        + " @JoinFormula(\"(select o.id from other o where o.code = code)\").");
    }

    /** Not the inverse side of a one-to-one association: it refers to the other side's association, which contains this side's id. */
    private static boolean isByAnotherAttribute(ToOne toOne) {
        return toOne instanceof ManyToOne
                && toOne.getReferencedPropertyName() != null
                && !toOne.isReferenceToPrimaryKey();
    }

    private static void refuseRowId(PersistentClass entity) {
        if (entity.getTable().getRowId() != null) {
            throw new ShardedIdMappingException(entity.getEntityName()
                    + " has @RowId: Hibernate would update and delete its rows by their physical location (ctid). When"
                    + " the shard moves, a row gets another one, and its former one is that of another row. Remove"
                    + " @RowId.");
        }
    }

    /** Checks the settings of a session factory with sharded entities. */
    public static void refuse(SessionFactoryOptions options) {
        if (options.isQueryCacheEnabled()) {
            throw new ShardedIdMappingException("hibernate.cache.use_query_cache is true, but entities are sharded:"
                    + " the query cache knows no shard, and would return one shard's result in another one. Set it to"
                    + " false; the second-level cache of entities and collections can stay enabled.");
        }
    }
}
