package io.github.shardedid.hibernate.internal.rehearsal;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.internal.mapping.Associations;
import io.github.shardedid.hibernate.internal.mapping.EntityIds;
import io.github.shardedid.hibernate.internal.mapping.ForeignShardBinder;
import io.github.shardedid.hibernate.internal.mapping.MappedAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardKeyAttribute;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappingReader;
import jakarta.persistence.OneToMany;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.ManyToOne;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.jspecify.annotations.Nullable;

/**
 * What a rehearsal assumes of entities without annotations. If no entity has {@code @ShardedId} yet, each one with a number as id is
 * sharded. It lives with the only owner that saves it by cascade, else with the only other one that it refers to.
 *
 * @param byEntity what is assumed of a sharded entity, by its name
 */
record AssumedMappings(Map<String, Assumption> byEntity) implements ShardedMappingReader.Assumed {
    /** Nothing is assumed. */
    private static final AssumedMappings NONE = new AssumedMappings(Map.of());

    /**
     * What is assumed of an entity.
     *
     * @param key the path of the shard key; empty without
     * @param sentence what that means, and what to write; empty for an entity that is placed by itself
     */
    record Assumption(String key, String sentence) {
        private static final Assumption ALONE = new Assumption("", "");
    }

    /** Reads what to assume. */
    static AssumedMappings of(Metadata metadata) {
        for (PersistentClass entity : metadata.getEntityBindings()) {
            Property id = entity.getIdentifierProperty();
            if (entity.getClassName() != null && id != null && annotated(entity, id)) {
                return NONE;
            }
        }
        Map<String, Assumption> byEntity = new HashMap<>();
        metadata.getEntityBindings().stream()
                .filter(AssumedMappings::hasNumber)
                .forEach(entity -> byEntity.put(entity.getEntityName(), Assumption.ALONE));
        AssumedMappings sharded = new AssumedMappings(byEntity);
        metadata.getEntityBindings().stream()
                .filter(entity -> sharded.isSharded(entity.getEntityName()))
                .forEach(entity -> byEntity.put(entity.getEntityName(), sharded.assume(metadata, entity)));
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

    private Assumption assume(Metadata metadata, PersistentClass entity) {
        List<MappedAttribute> attributes = MappedAttribute.of(entity);
        if (attributes.stream().anyMatch(attribute -> attribute.annotation(ShardKey.class) != null)) {
            return Assumption.ALONE;
        }
        List<MappedAttribute> parents = attributes.stream()
                .filter(attribute -> attribute.property().getValue() instanceof ManyToOne reference
                        && !ForeignShardBinder.isForeign(attribute.property())
                        && isSharded(reference.getReferencedEntityName()))
                .toList();
        List<Collection> owners = metadata.getCollectionBindings().stream()
                .filter(collection -> saves(collection, entity))
                .toList();
        if (owners.size() == 1) {
            return withOwner(owners.get(0), parents);
        }
        return switch (parents.size()) {
            case 0 -> Assumption.ALONE;
            case 1 -> withParent(parents.get(0));
            default -> withParents(parents);
        };
    }

    /** Returns whether a collection of another entity saves its elements by cascade, and they are in no other one. */
    private boolean saves(Collection collection, PersistentClass element) {
        PersistentClass owner = collection.getOwner();
        if (!element.getEntityName().equals(Associations.referenced(collection.getElement()))
                || owner.getEntityName().equals(element.getEntityName())
                || !isSharded(owner.getEntityName())) {
            return false;
        }
        return MappedAttribute.of(owner).stream()
                .filter(attribute -> attribute.property().getValue() == collection)
                .anyMatch(attribute -> attribute.annotation(OneToMany.class) != null
                        && Stream.of(Objects.requireNonNullElse(
                                                attribute.property().getCascade(), "")
                                        .split(","))
                                .map(String::strip)
                                .anyMatch(cascade -> cascade.startsWith("all") || cascade.equals("persist")));
    }

    private static Assumption withOwner(Collection owner, List<MappedAttribute> parents) {
        String back = owner.getMappedByProperty();
        if (back == null) {
            return new Assumption(
                    "",
                    " Its rows are saved by cascade with " + owner.getRole()
                            + ", and are assumed to be in the shard of that owner: this needs no annotation."
                            + others(parents, ""));
        }
        return new Assumption(
                back,
                " Its rows are saved by cascade with " + owner.getRole()
                        + ", and are assumed to be in the shard of that owner: put @ShardKey on " + back + "."
                        + others(parents, back));
    }

    private static Assumption withParent(MappedAttribute parent) {
        return new Assumption(
                parent.path(),
                " Do its rows belong in the shard of " + parent.path() + ", as is assumed? Then put @ShardKey on that"
                        + " attribute. If " + target(parent)
                        + " is a lookup table, which all shards share, put @GlobalEntity on that class instead.");
    }

    private static Assumption withParents(List<MappedAttribute> parents) {
        return new Assumption(
                "",
                " Each row is assumed to be in a shard of its own. If it belongs in the shard of one of those that it refers to ("
                        + parents.stream().map(MappedAttribute::path).collect(Collectors.joining(", "))
                        + "), as what most queries look for, put @ShardKey on that attribute." + others(parents, ""));
    }

    private static String others(List<MappedAttribute> parents, String key) {
        StringBuilder sentences = new StringBuilder();
        parents.stream()
                .filter(parent -> !parent.path().equals(key))
                .forEach(parent -> sentences.append(" If " + target(parent) + " (" + parent.path()
                        + ") is a lookup table, put @GlobalEntity on that class; if its rows may be in other shards, put"
                        + " @ForeignShard on the attribute."));
        return sentences.toString();
    }

    private static String target(MappedAttribute parent) {
        return ((ManyToOne) parent.property().getValue()).getReferencedEntityName();
    }

    @Override
    public boolean isSharded(String entity) {
        return byEntity.containsKey(entity);
    }

    @Override
    public @Nullable MappedAttribute keyOf(PersistentClass entity) {
        String path =
                byEntity.getOrDefault(entity.getEntityName(), Assumption.ALONE).key();
        return MappedAttribute.of(entity).stream()
                .filter(attribute -> attribute.path().equals(path))
                .findFirst()
                .orElse(null);
    }

    /** Returns what is assumed of each entity, and what to write. */
    List<String> sentences() {
        return byEntity.entrySet().stream()
                .map(entry -> entry.getKey()
                        + " is assumed to be sharded: put @ShardedId on its id instead of @GeneratedValue, or @GlobalEntity on the"
                        + " class."
                        + entry.getValue().sentence())
                .sorted()
                .toList();
    }
}
