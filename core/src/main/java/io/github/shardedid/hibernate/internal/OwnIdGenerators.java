package io.github.shardedid.hibernate.internal;

import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.hibernate.internal.routing.PerShardIds;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.IdentifierCollection;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.SimpleValue;
import org.hibernate.mapping.Value;

/**
 * Replaces the generators of ids, of parts of ids and of the rows of collections, that are unique within a shard, by generators for each
 * shard, in Hibernate's boot model.
 */
final class OwnIdGenerators {
    private OwnIdGenerators() {}

    static void replace(Metadata metadata, ShardedMappings mappings) {
        replaceOfCollections(metadata, mappings);
        for (PersistentClass entity : metadata.getEntityBindings()) {
            ShardedMapping mapping = entity == entity.getRootClass() ? mappings.find(entity.getEntityName()) : null;
            if (mapping == null) {
                continue;
            }
            if (mapping.ownId() == ShardedMapping.Uniqueness.SHARD) {
                replace(entity.getIdentifier(), mapping.entityName(), false);
            } else if (mapping.idPart() != null && entity.getIdentifier() instanceof Component id) {
                for (Property part : id.getProperties()) {
                    replace(part.getValue(), mapping.entityName(), true);
                }
            }
        }
    }

    /** The rows of collections with {@code @CollectionId}. */
    private static void replaceOfCollections(Metadata metadata, ShardedMappings mappings) {
        for (Collection collection : metadata.getCollectionBindings()) {
            if (collection instanceof IdentifierCollection identified
                    && mappings.find(collection.getOwnerEntityName()) != null) {
                replace(identified.getIdentifier(), collection.getRole(), true);
            }
        }
    }

    private static void replace(Value value, String owner, boolean part) {
        if (value instanceof SimpleValue id
                && id.getCustomIdGeneratorCreator() != null
                && !id.getCustomIdGeneratorCreator().isAssigned()) {
            var creator = id.getCustomIdGeneratorCreator();
            id.setCustomIdGeneratorCreator(context -> PerShardIds.of(creator.createGenerator(context), owner, part));
        }
    }
}
