package io.github.shardedid.hibernate.internal.unroutable;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.checks.ReplicatedEntities;
import io.github.shardedid.hibernate.internal.mapping.Associations;
import io.github.shardedid.hibernate.internal.mapping.Associations.MappedValue;
import io.github.shardedid.hibernate.internal.mapping.IdPart;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import java.util.HashSet;
import java.util.Set;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.ToOne;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what needs the shard of a row by its id alone, for entities whose ids name no shard: caches, shard keys
 * that refer to it, and parts of other ids.
 *
 * <p>The session that has read such a row knows its shard. A second-level cache is shared by sessions and keeps
 * rows by their ids alone; and another entity's key or id is decoded without any session.
 */
record UnroutableIdChecks(Set<String> entities, MappingProblems problems) {
    void check(Metadata metadata, ShardedMappings mappings) {
        mappings.all().forEach(mapping -> problems.collect(() -> checkKeys(mapping)));
        Set<String> referring = new HashSet<>();
        for (MappedValue<ToOne> toOne : Associations.toOnes(metadata)) {
            if (isUnroutable(toOne.value().getReferencedEntityName())) {
                referring.add(toOne.owner().getEntityName());
            }
        }
        for (PersistentClass entity : metadata.getEntityBindings()) {
            String name = entity.getEntityName();
            if (ReplicatedEntities.isCached(entity) && (isUnroutable(name) || referring.contains(name))) {
                problems.collect(() -> refuseCache(name));
            }
        }
        for (Collection collection : metadata.getCollectionBindings()) {
            String owner = collection.getOwnerEntityName();
            if (collection.getCacheConcurrencyStrategy() != null
                    && (isUnroutable(owner)
                            || isUnroutable(Associations.referenced(collection.getElement()))
                            || referring.contains(owner))) {
                problems.collect(() -> refuseCache(collection.getRole()));
            }
        }
    }

    private static void refuseCache(String path) {
        throw new ShardedIdMappingException(path
                + " has @Cache, but it is, belongs to or refers to an entity whose id names no shard: the second-level cache"
                + " would return the row in each shard. Remove @Cache, or give the entity a @ShardedId.");
    }

    private boolean isUnroutable(@Nullable String entity) {
        return entity != null && entities.contains(entity);
    }

    /**
     * Refuses a shard key, or a part of an id, whose value is the id of such an entity: it would have to name a
     * shard, and does not.
     */
    private void checkKeys(ShardedMapping mapping) {
        ShardKeyAttribute key = mapping.key();
        IdPart part = mapping.idPart();
        String ofId = part == null ? null : part.key().target();
        String target = key != null && key.kind() == ShardKeyAttribute.Kind.REFERENCE ? key.target() : null;
        if (isUnroutable(target) || isUnroutable(ofId)) {
            throw new ShardedIdMappingException((isUnroutable(target)
                            ? "The @ShardKey " + key + " references "
                            : "The id of " + mapping.entityName() + " refers to ")
                    + (isUnroutable(target) ? target : ofId)
                    + ", whose id names no shard. Put @ShardKey on an association to it, beside an id of the entity's own;"
                    + " or on an attribute, or another part of the id, that names the shard.");
        }
    }
}
