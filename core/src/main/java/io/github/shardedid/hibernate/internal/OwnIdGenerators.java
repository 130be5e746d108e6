package io.github.shardedid.hibernate.internal;

import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.hibernate.internal.routing.PerShardIds;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.SimpleValue;
import org.hibernate.mapping.Value;

/**
 * Replaces the generators of ids, and of parts of ids, that are unique within a shard by generators for each shard, in Hibernate's boot
 * model.
 */
final class OwnIdGenerators {
    private OwnIdGenerators() {}

    static void replace(Metadata metadata, ShardedMappings mappings) {
        for (PersistentClass entity : metadata.getEntityBindings()) {
            ShardedMapping mapping = entity == entity.getRootClass() ? mappings.find(entity.getEntityName()) : null;
            if (mapping == null) {
                continue;
            }
            if (mapping.ownId() == ShardedMapping.Uniqueness.SHARD) {
                replace(entity.getIdentifier(), mapping, false);
            } else if (mapping.idPart() != null && entity.getIdentifier() instanceof Component id) {
                for (Property part : id.getProperties()) {
                    replace(part.getValue(), mapping, true);
                }
            }
        }
    }

    private static void replace(Value value, ShardedMapping mapping, boolean part) {
        if (value instanceof SimpleValue id
                && id.getCustomIdGeneratorCreator() != null
                && !id.getCustomIdGeneratorCreator().isAssigned()) {
            var creator = id.getCustomIdGeneratorCreator();
            id.setCustomIdGeneratorCreator(
                    context -> PerShardIds.of(creator.createGenerator(context), mapping.entityName(), part));
        }
    }
}
