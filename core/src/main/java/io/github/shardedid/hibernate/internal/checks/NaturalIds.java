package io.github.shardedid.hibernate.internal.checks;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.mapping.MappingProblems;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import java.util.List;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;

/**
 * Refuses natural ids that name no shard. Hibernate caches the ids of rows by their natural ids alone, in the session and in the
 * second-level cache, and would return a row of one shard for another one.
 */
record NaturalIds(ShardedMappings mappings) {
    static void check(Metadata metadata, ShardedMappings mappings, MappingProblems problems) {
        NaturalIds ids = new NaturalIds(mappings);
        for (PersistentClass entity : metadata.getEntityBindings()) {
            ShardedMapping mapping = mappings.find(entity.getEntityName());
            if (mapping != null && entity == entity.getRootClass() && entity.hasNaturalId()) {
                problems.collect(() -> ids.check(entity, mapping));
            }
        }
    }

    private void check(PersistentClass entity, ShardedMapping mapping) {
        List<String> attributes = entity.getPropertyClosure().stream()
                .filter(Property::isNaturalIdentifier)
                .map(Property::getName)
                .toList();
        String natural = entity.getEntityName() + "." + attributes.get(0) + " has @NaturalId, but ";
        if (!mapping.idNamesShard()) {
            throw new ShardedIdMappingException(natural + "the id of " + entity.getEntityName()
                    + " names no shard, so a row cannot be read by the id that its natural id was resolved to. Remove"
                    + " @NaturalId, keep the unique constraint, and query for the values with the shard key; or give the"
                    + " entity a @ShardedId.");
        }
        String naming = mappings.naming(mapping, attributes);
        if (naming == null) {
            throw new ShardedIdMappingException(natural + entity.getEntityName()
                    + " is sharded and no attribute of the natural id names the shard: each shard may have a row with that"
                    + " value, and a session caches only one of them. Put @NaturalId on the shard key, too, and the column"
                    + " into the unique constraint; or remove @NaturalId, and query for the value in its shard.");
        }
        Property property = entity.getRecursiveProperty(naming);
        if (naming.contains(".") && property.getType().isAssociationType()) {
            throw new ShardedIdMappingException(
                    natural + naming + ", which names the shard, is an association within an"
                            + " embeddable: Hibernate caches by the embeddable's equals, and that of two associated rows may hold"
                            + " for rows of different shards. Put @NaturalId on an association of the entity itself, or on the"
                            + " id of the row in the embeddable.");
        }
        if (property.isOptional()
                && property.getValue().isNullable()
                && !property.getType().getReturnedClass().isPrimitive()) {
            throw new ShardedIdMappingException(
                    natural + naming + ", which names the shard, may be null: each shard may"
                            + " have such a row, and a session caches only one of them. Declare it optional = false, or"
                            + " nullable = false.");
        }
    }
}
