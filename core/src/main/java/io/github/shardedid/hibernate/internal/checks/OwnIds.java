package io.github.shardedid.hibernate.internal.checks;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.checks.ForeignAttributes.Foreign;
import io.github.shardedid.hibernate.internal.mapping.Associations;
import io.github.shardedid.hibernate.internal.mapping.IdPart;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.PersistentClass;
import org.jspecify.annotations.Nullable;

/** Refuses what needs the shard of a row by its id alone, for entities whose ids name no shard: caches, foreign references, other ids. */
record OwnIds(ShardedMappings mappings) {
    static void check(Metadata metadata, ShardedMappings mappings, List<Foreign> foreign, MappingProblems problems) {
        if (!mappings.hasOwnIds()) {
            return;
        }
        OwnIds ids = new OwnIds(mappings);
        mappings.all().forEach(mapping -> problems.collect(() -> ids.checkKeys(mapping)));
        foreign.forEach(each -> problems.collect(() -> ids.check(each)));
        Set<String> referring = new HashSet<>();
        for (Associations.ToOneAttribute toOne : Associations.toOnes(metadata)) {
            if (ids.isOwn(toOne.value().getReferencedEntityName())) {
                referring.add(toOne.owner().getEntityName());
            }
        }
        for (PersistentClass entity : metadata.getEntityBindings()) {
            problems.collect(() -> ids.checkCache(entity, referring));
            problems.collect(() -> ids.checkType(entity));
        }
        for (Collection collection : metadata.getCollectionBindings()) {
            problems.collect(() -> ids.checkCache(collection, referring));
        }
    }

    private boolean isOwn(@Nullable String entity) {
        return mappings.findOwnId(entity) != null;
    }

    private void checkKeys(ShardedMapping mapping) {
        ShardKeyAttribute key = mapping.key();
        if (key != null && key.kind() == ShardKeyAttribute.Kind.REFERENCE && isOwn(key.target())) {
            throw new ShardedIdMappingException(
                    "The @ShardKey " + key + " references " + key.target()
                            + ", whose id names no shard. Put @ShardKey on an association to it, or on an attribute that names the shard.");
        }
        IdPart part = mapping.idPart();
        if (part != null && isOwn(part.key().target())) {
            throw new ShardedIdMappingException("The id of " + mapping.entityName() + " refers to "
                    + part.key().target() + ", whose id names no shard. Give " + mapping.entityName()
                    + " an id of its own, and put @ShardKey on the association; or put @ShardKey on another part of the id, which"
                    + " names the shard.");
        }
    }

    private void check(Foreign attribute) {
        if (isOwn(attribute.target())) {
            throw new ShardedIdMappingException(attribute + " has @ForeignShard, but the id of " + attribute.target()
                    + " names no shard, so the row could not be found. Refer to an entity with @ShardedId, or keep the id and the"
                    + " shard key of the row in attributes.");
        }
    }

    /** A session looks for the shards of its rows by their ids. */
    private void checkType(PersistentClass entity) {
        if (isOwn(entity.getEntityName())
                && entity == entity.getRootClass()
                && entity.getIdentifier().getType().getReturnedClass().isArray()) {
            throw new ShardedIdMappingException("The id " + entity.getEntityName() + "."
                    + entity.getIdentifierProperty().getName()
                    + " names no shard, and is of type "
                    + entity.getIdentifier().getType().getReturnedClass().getSimpleName()
                    + ", whose values are not equal to their copies. Use a UUID, a String or a number.");
        }
    }

    private void checkCache(PersistentClass entity, Set<String> referring) {
        boolean own = isOwn(entity.getEntityName());
        // Hibernate sets the strategy of each entity if there is a cache.
        if (entity.isCached()
                && entity.getRootClass().getCacheConcurrencyStrategy() != null
                && (own || referring.contains(entity.getEntityName()))) {
            throw cached(entity.getEntityName(), own ? "its id names" : "it refers to an entity whose id names");
        }
    }

    private void checkCache(Collection collection, Set<String> referring) {
        String owner = collection.getOwnerEntityName();
        if (collection.getCacheConcurrencyStrategy() != null
                && (isOwn(owner)
                        || isOwn(Associations.referenced(collection.getElement()))
                        || referring.contains(owner))) {
            throw cached(collection.getRole(), "it refers to or belongs to an entity whose id names");
        }
    }

    private static ShardedIdMappingException cached(String what, String why) {
        return new ShardedIdMappingException(what + " has @Cache, but " + why
                + " no shard: the second-level cache would return the row in each shard. Remove @Cache, or give the entity a"
                + " @ShardedId.");
    }
}
