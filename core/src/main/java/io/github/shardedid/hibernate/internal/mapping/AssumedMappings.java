package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.ManyToOne;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.jspecify.annotations.Nullable;

/**
 * What a rehearsal assumes of entities without annotations. If no entity has {@code @ShardedId} yet, each one with a number as id is
 * sharded, and its only reference to another one is its shard key.
 *
 * @param keys the path of the assumed shard key by sharded entity; empty for an entity without
 */
public record AssumedMappings(Map<String, String> keys) {
    /** Nothing is assumed. */
    public static final AssumedMappings NONE = new AssumedMappings(Map.of());

    /** Reads what to assume. */
    public static AssumedMappings of(Metadata metadata) {
        for (PersistentClass entity : metadata.getEntityBindings()) {
            Property id = entity.getIdentifierProperty();
            if (entity.getClassName() != null && id != null && annotated(entity, id)) {
                return NONE;
            }
        }
        Map<String, String> keys = new HashMap<>();
        metadata.getEntityBindings().stream()
                .filter(AssumedMappings::hasNumber)
                .forEach(entity -> keys.put(entity.getEntityName(), ""));
        AssumedMappings sharded = new AssumedMappings(keys);
        metadata.getEntityBindings().stream()
                .filter(entity -> keys.containsKey(entity.getEntityName()))
                .forEach(entity -> keys.put(entity.getEntityName(), sharded.onlyParent(entity)));
        return sharded;
    }

    private static boolean annotated(PersistentClass entity, Property id) {
        return new MappedAttribute(entity.getMappedClass(), id.getName(), id).annotation(ShardedId.class) != null;
    }

    private static boolean hasNumber(PersistentClass entity) {
        return entity.getClassName() != null
                && entity.getIdentifierProperty() != null
                && !EntityIds.isDeclaredGlobal(entity)
                && ShardKeyAttribute.isWhole(entity.getIdentifier().getType().getReturnedClass());
    }

    private String onlyParent(PersistentClass entity) {
        List<MappedAttribute> parents = new ArrayList<>();
        for (MappedAttribute attribute : MappedAttribute.of(entity)) {
            if (attribute.annotation(ShardKey.class) != null) {
                return "";
            }
            if (attribute.property().getValue() instanceof ManyToOne reference
                    && !ForeignShardBinder.isForeign(attribute.property())
                    && isSharded(reference.getReferencedEntityName())) {
                parents.add(attribute);
            }
        }
        return parents.size() == 1 ? parents.get(0).path() : "";
    }

    /** Whether an entity is assumed to be sharded. */
    boolean isSharded(String entity) {
        return keys.containsKey(entity);
    }

    /** The assumed shard key of an entity. */
    @Nullable
    MappedAttribute keyOf(PersistentClass entity) {
        String path = keys.getOrDefault(entity.getEntityName(), "");
        return MappedAttribute.of(entity).stream()
                .filter(attribute -> attribute.path().equals(path))
                .findFirst()
                .orElse(null);
    }

    /** What is assumed of each entity, and what to write. */
    public List<String> sentences() {
        return keys.entrySet().stream()
                .map(entry -> entry.getKey()
                        + " is assumed to be sharded: put @ShardedId on its id instead of @GeneratedValue, or @GlobalEntity on the"
                        + " class."
                        + (entry.getValue().isEmpty()
                                ? ""
                                : " Its rows are assumed to be in the shard of " + entry.getValue()
                                        + ": put @ShardKey on that attribute."))
                .sorted()
                .toList();
    }
}
