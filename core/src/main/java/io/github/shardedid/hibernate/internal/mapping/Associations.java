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
import org.jspecify.annotations.Nullable;

/**
 * The to-one associations of all entities in Hibernate's boot model, also within embeddables and collections, except those with
 * {@code @ForeignShard}.
 *
 * <p>Hibernate's model is a tree of values, of which each check would have to visit the same kinds: so it is done
 * here. Attributes of a superclass are visited once, as attributes of that class, and parts of an id with the root
 * of the hierarchy.
 */
public final class Associations {
    private Associations() {}

    /**
     * A to-one association.
     *
     * @param owner the entity whose table, or collection table, has the reference
     * @param path for messages: class and attribute
     */
    public record ToOneAttribute(PersistentClass owner, String path, ToOne value) {}

    /** Returns all to-one associations, as attributes, elements of collections and map keys. */
    public static List<ToOneAttribute> toOnes(Metadata metadata) {
        List<ToOneAttribute> found = new ArrayList<>();
        collect(metadata, (owner, path, value) -> {
            if (value instanceof ToOne toOne) {
                found.add(new ToOneAttribute(owner, path, toOne));
            }
        });
        return found;
    }

    /** An {@code @Any}, or the elements of a {@code @ManyToAny}. */
    public record AnyAttribute(PersistentClass owner, Any value) {}

    /** Returns all associations whose entity is known to the rows only. */
    public static List<AnyAttribute> anys(Metadata metadata) {
        List<AnyAttribute> found = new ArrayList<>();
        collect(metadata, (owner, path, value) -> {
            if (value instanceof Any any) {
                found.add(new AnyAttribute(owner, any));
            }
        });
        return found;
    }

    private interface Found {
        void add(PersistentClass owner, String path, @Nullable Value value);
    }

    private static void collect(Metadata metadata, Found found) {
        for (PersistentClass entity : metadata.getEntityBindings()) {
            entity.getProperties().forEach(property -> collect(entity, property, found));
            entity.getJoins()
                    .forEach(join -> join.getProperties().forEach(property -> collect(entity, property, found)));
            if (entity == entity.getRootClass()) {
                collect(entity, entity.getEntityName(), entity.getIdentifier(), found);
            }
        }
    }

    /** The entity that an element or a map key of a collection refers to; null if it refers to none. */
    public static @Nullable String referenced(@Nullable Value part) {
        if (part instanceof OneToMany many) {
            return many.getReferencedEntityName();
        }
        return part instanceof ToOne one ? one.getReferencedEntityName() : null;
    }

    private static void collect(PersistentClass owner, Property property, Found found) {
        collect(owner, owner.getEntityName() + ".", property, found);
    }

    private static void collect(PersistentClass owner, String prefix, Property property, Found found) {
        if (!ForeignShardBinder.isForeign(property)) {
            collect(owner, prefix + property.getName(), property.getValue(), found);
        }
    }

    private static void collect(PersistentClass owner, String path, @Nullable Value value, Found found) {
        found.add(owner, path, value);
        if (value instanceof Component component) {
            component.getProperties().forEach(part -> collect(owner, path + ".", part, found));
        } else if (value instanceof Collection collection) {
            collect(owner, path, collection.getElement(), found);
            if (collection instanceof IndexedCollection indexed) {
                collect(owner, path + " (map key)", indexed.getIndex(), found);
            }
        }
    }
}
