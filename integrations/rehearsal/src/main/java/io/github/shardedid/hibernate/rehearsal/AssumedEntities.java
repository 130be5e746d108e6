package io.github.shardedid.hibernate.rehearsal;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.internal.mapping.AssumedMappings;
import io.github.shardedid.hibernate.internal.mapping.EntityIds;
import io.github.shardedid.hibernate.internal.mapping.ForeignShardBinder;
import io.github.shardedid.hibernate.internal.mapping.MappedAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.ManyToOne;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.jspecify.annotations.Nullable;

/**
 * What a rehearsal assumes of entities without annotations. If no entity has {@code @ShardedId} yet, each one with a number as id is
 * sharded. Its rows are in the shard of the only other one that it refers to, else each in a shard of its own.
 *
 * <p>With this, an application that has not been adapted at all can be rehearsed: what routing would refuse is
 * found by its own tests, before anything is annotated. As soon as one entity is annotated, nothing is assumed,
 * since the application then says itself which entities are sharded.
 *
 * @param parents the references to other sharded entities that may be the shard key, by the sharded entity
 */
record AssumedEntities(Map<String, List<MappedAttribute>> parents) implements AssumedMappings {
    /** Reads what to assume. */
    static AssumedEntities of(Metadata metadata) {
        if (metadata.getEntityBindings().stream().anyMatch(AssumedEntities::isAnnotated)) {
            return new AssumedEntities(Map.of());
        }
        Map<String, PersistentClass> sharded = metadata.getEntityBindings().stream()
                .filter(AssumedEntities::hasNumber)
                .collect(Collectors.toMap(PersistentClass::getEntityName, entity -> entity));
        return new AssumedEntities(sharded.values().stream()
                .collect(Collectors.toMap(PersistentClass::getEntityName, entity -> parents(entity, sharded))));
    }

    /** Returns whether an id has {@code @ShardedId}. */
    private static boolean isAnnotated(PersistentClass entity) {
        Property id = entity.getIdentifierProperty();
        return entity.getClassName() != null
                && id != null
                && new MappedAttribute(entity.getMappedClass(), id.getName(), id).annotation(ShardedId.class) != null;
    }

    /**
     * Returns whether an id could hold sharded ids. Others, such as codes of countries, are those of lookup
     * tables more often.
     */
    private static boolean hasNumber(PersistentClass entity) {
        return entity.getClassName() != null
                && entity.getIdentifierProperty() != null
                && !EntityIds.isDeclaredGlobal(entity)
                && ShardKeyAttribute.isWhole(entity.getIdentifier().getType().getReturnedClass());
    }

    /**
     * Returns the associations with which the entity may be stored; none if it says by {@code @ShardKey} itself
     * which one it is.
     */
    private static List<MappedAttribute> parents(PersistentClass entity, Map<String, PersistentClass> sharded) {
        List<MappedAttribute> attributes = MappedAttribute.of(entity);
        if (attributes.stream().anyMatch(attribute -> attribute.annotation(ShardKey.class) != null)) {
            return List.of();
        }
        return attributes.stream()
                .filter(attribute -> attribute.property().getValue() instanceof ManyToOne reference
                        && !ForeignShardBinder.isForeign(attribute.property())
                        && sharded.containsKey(reference.getReferencedEntityName()))
                .toList();
    }

    @Override
    public boolean isSharded(String entity) {
        return parents.containsKey(entity);
    }

    /**
     * Returns the only reference to another sharded entity. With several, none is assumed, because a wrong guess
     * would let the rehearsal refuse what could be right.
     */
    @Override
    public @Nullable MappedAttribute keyOf(PersistentClass entity) {
        List<MappedAttribute> known = parents.getOrDefault(entity.getEntityName(), List.of());
        return known.size() == 1 ? known.get(0) : null;
    }

    /** Returns what is assumed of each entity, and what to write. */
    List<String> sentences() {
        return parents.entrySet().stream()
                .map(entry -> entry.getKey()
                        + " is assumed to be sharded: put @ShardedId on its id instead of @GeneratedValue, or @GlobalEntity on the"
                        + " class, if it is a lookup table." + key(entry.getValue()))
                .sorted()
                .toList();
    }

    private static String key(List<MappedAttribute> parents) {
        String paths = parents.stream().map(MappedAttribute::path).collect(Collectors.joining(", "));
        return switch (parents.size()) {
            case 0 -> "";
            case 1 ->
                " Its rows are assumed to be in the shard of " + paths + ": put @ShardKey on that attribute, or"
                        + " @ForeignShard if the other row may be in another shard.";
            default ->
                " Each row is assumed to be in a shard of its own: put @ShardKey on the one of (" + paths
                        + ") with which it is stored, and @ForeignShard on those that may be in other shards.";
        };
    }
}
