package io.github.shardedid.hibernate.internal.mapping;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.MappingException;
import org.hibernate.boot.Metadata;
import org.hibernate.engine.spi.CascadeStyle;
import org.hibernate.engine.spi.CascadingActions;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.spi.NavigablePath;
import org.jspecify.annotations.Nullable;

/**
 * The attributes through which sharded entities without a shard key are in the shard of their owner. Immutable.
 *
 * @param byElement the collections, also those that do not cascade, by the entity of their elements
 * @param byTarget the to-one associations, except shard keys, by the entity that they refer to
 */
public record CascadeOwners(Map<String, List<Role>> byElement, Map<String, List<Role>> byTarget) {
    static final CascadeOwners NONE = new CascadeOwners(Map.of(), Map.of());

    /**
     * An attribute of an entity; within embeddables, a path.
     *
     * @param saves whether it saves by cascade; rows in other collections have been saved before, or alone
     */
    public record Role(String owner, String attribute, boolean saves) {}

    /** Reads the attributes of the sharded entities. */
    static CascadeOwners read(Metadata metadata, Map<String, ShardedMapping> sharded) {
        Map<String, List<Role>> byElement = new HashMap<>();
        for (Collection collection : metadata.getCollectionBindings()) {
            String owner = collection.getOwnerEntityName();
            String element = Associations.referenced(collection.getElement());
            if (element != null && hasNoKey(sharded.get(element)) && sharded.containsKey(owner)) {
                String attribute = collection.getRole().substring(owner.length() + 1);
                byElement
                        .computeIfAbsent(element, name -> new ArrayList<>())
                        .add(new Role(owner, attribute, saves(collection, attribute)));
            }
        }
        CascadeOwners owners = new CascadeOwners(byElement, new HashMap<>());
        for (PersistentClass entity : metadata.getEntityBindings()) {
            ShardedMapping mapping = sharded.get(entity.getEntityName());
            if (mapping != null) {
                owners.collect(metadata, sharded, mapping, "", entity.getProperties());
                entity.getJoins().forEach(join -> owners.collect(metadata, sharded, mapping, "", join.getProperties()));
            }
        }
        return owners;
    }

    private static boolean hasNoKey(@Nullable ShardedMapping mapping) {
        return mapping != null && mapping.key() == null;
    }

    private void collect(
            Metadata metadata,
            Map<String, ShardedMapping> sharded,
            ShardedMapping owner,
            String prefix,
            List<Property> properties) {
        for (Property property : properties) {
            String path = prefix + property.getName();
            String target = Associations.referenced(property.getValue());
            if (property.getName().equals(NavigablePath.IDENTIFIER_MAPPER_PROPERTY)) {
                // The parts of an id: their targets are saved first.
                continue;
            }
            if (property.getValue() instanceof Component component) {
                collect(metadata, sharded, owner, path + ".", component.getProperties());
            } else if (target != null && saves(property) && !isKey(owner, path)) {
                addTargets(metadata.getEntityBinding(target), sharded, new Role(owner.entityName(), path, true));
            }
        }
    }

    /** Of a shard key, the target determines the shard of the owner instead. */
    private static boolean isKey(ShardedMapping owner, String path) {
        return owner.key() != null && owner.key().name().equals(path);
    }

    /** True if Hibernate does not find the attribute, as within a hierarchy of embeddables. */
    private static boolean saves(Collection collection, String attribute) {
        try {
            return saves(collection.getOwner().getRecursiveProperty(attribute));
        } catch (MappingException e) {
            return true;
        }
    }

    private static boolean saves(Property property) {
        CascadeStyle style = property.getCascadeStyle();
        return style.doCascade(CascadingActions.PERSIST)
                || style.doCascade(CascadingActions.PERSIST_ON_FLUSH)
                || style.doCascade(CascadingActions.MERGE);
    }

    private void addTargets(PersistentClass target, Map<String, ShardedMapping> sharded, Role role) {
        if (hasNoKey(sharded.get(target.getEntityName()))) {
            byTarget.computeIfAbsent(target.getEntityName(), name -> new ArrayList<>())
                    .add(role);
        }
        target.getDirectSubclasses().forEach(subclass -> addTargets(subclass, sharded, role));
    }

    /** Returns whether there are no collections. */
    public boolean isEmpty() {
        return byElement.isEmpty();
    }

    /** Returns whether a collection may save an entity by cascade. */
    public boolean mayBeSaved(String element) {
        return of(element).stream().anyMatch(Role::saves);
    }

    /** The collections that may contain an entity; empty if it has a shard key or is in none. */
    public List<Role> of(String element) {
        return byElement.getOrDefault(element, List.of());
    }

    /** The to-one associations that may save an entity; empty if it has a shard key. */
    public List<Role> toOnes(String target) {
        return byTarget.getOrDefault(target, List.of());
    }
}
