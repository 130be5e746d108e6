package io.github.shardedid.hibernate.internal.mapping;

import java.util.ArrayList;
import java.util.List;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Any;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.IndexedCollection;
import org.hibernate.mapping.OneToMany;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.ToOne;
import org.hibernate.mapping.Value;
import org.hibernate.spi.NavigablePath;
import org.jspecify.annotations.Nullable;

/**
 * The values of all entities in Hibernate's boot model, also within embeddables and collections.
 *
 * <p>Hibernate's model is a tree of values, of which each check would have to visit the same kinds: so it is done
 * here. Attributes of a superclass are visited once, as attributes of that class, and parts of an id with the root
 * of the hierarchy.
 */
public final class Associations {
    private final List<MappedValue<?>> found = new ArrayList<>();

    private Associations() {}

    /**
     * A value of an attribute: itself, an attribute of an embeddable, or the elements or map keys of a collection.
     *
     * @param owner the entity whose table, or collection table, has the value
     * @param path the attribute within the entity; {@code address.author} within an embeddable
     * @param property the attribute; null for the parts of a composite id without an attribute
     * @param inId whether it is a part of the entity's id
     * @param foreign whether the attribute, or one around it, has {@code @ForeignShard}
     */
    public record MappedValue<V extends Value>(
            PersistentClass owner, String path, @Nullable Property property, V value, boolean inId, boolean foreign) {
        /** The attribute with its entity, for messages. */
        @Override
        public String toString() {
            return owner.getEntityName() + "." + path;
        }
    }

    /** Returns all values. */
    public static List<MappedValue<?>> values(Metadata metadata) {
        Associations values = new Associations();
        metadata.getEntityBindings().forEach(values::add);
        return values.found;
    }

    /** Returns the values of an entity. */
    static List<MappedValue<?>> values(PersistentClass entity) {
        Associations values = new Associations();
        values.add(entity);
        return values.found;
    }

    private void add(PersistentClass entity) {
        entity.getProperties().forEach(property -> add(entity, "", property, false, false));
        entity.getJoins()
                .forEach(join -> join.getProperties().forEach(property -> add(entity, "", property, false, false)));
        if (entity == entity.getRootClass()) {
            Property id = entity.getIdentifierProperty();
            if (id != null) {
                add(entity, "", id, true, false);
            } else {
                add(entity, "", null, entity.getIdentifier(), true, false);
            }
        }
    }

    /** Returns all to-one associations, as attributes, elements of collections and map keys, except those with {@code @ForeignShard}. */
    public static List<MappedValue<ToOne>> toOnes(Metadata metadata) {
        return of(metadata, ToOne.class);
    }

    /** Returns all associations whose entity is known to the rows only. */
    public static List<MappedValue<Any>> anys(Metadata metadata) {
        return of(metadata, Any.class);
    }

    @SuppressWarnings("unchecked") // of values of that type
    private static <V extends Value> List<MappedValue<V>> of(Metadata metadata, Class<V> type) {
        return values(metadata).stream()
                .filter(each -> !each.foreign() && type.isInstance(each.value()))
                .map(each -> (MappedValue<V>) each)
                .toList();
    }

    /** The entity that an element or a map key of a collection refers to; null if it refers to none. */
    public static @Nullable String referenced(@Nullable Value part) {
        if (part instanceof OneToMany many) {
            return many.getReferencedEntityName();
        }
        return part instanceof ToOne one ? one.getReferencedEntityName() : null;
    }

    /** The attributes of an {@code @IdClass} are also in an attribute of Hibernate's own. */
    private void add(PersistentClass owner, String prefix, Property property, boolean inId, boolean foreign) {
        boolean ofIdClass = property.getName().equals(NavigablePath.IDENTIFIER_MAPPER_PROPERTY);
        add(
                owner,
                ofIdClass ? prefix : prefix + property.getName(),
                property,
                property.getValue(),
                inId,
                foreign || ForeignShardBinder.isForeign(property));
    }

    private void add(
            PersistentClass owner,
            String path,
            @Nullable Property property,
            @Nullable Value value,
            boolean inId,
            boolean foreign) {
        if (value == null) {
            return;
        }
        found.add(new MappedValue<>(owner, path, property, value, inId, foreign));
        if (value instanceof Component component) {
            String prefix = path.isEmpty() ? "" : path + ".";
            component.getProperties().forEach(part -> add(owner, prefix, part, inId, foreign));
        } else if (value instanceof Collection collection) {
            add(owner, path, property, collection.getElement(), inId, foreign);
            if (collection instanceof IndexedCollection indexed) {
                add(owner, path + " (map key)", property, indexed.getIndex(), inId, foreign);
            }
        }
    }
}
