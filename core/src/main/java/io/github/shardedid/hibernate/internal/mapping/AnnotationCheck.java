package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.mapping.Associations.MappedValue;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.jspecify.annotations.Nullable;

/**
 * Refuses {@link ShardedId} and {@link ShardKey} where they would have no effect: in collections, within parts of composite ids, on
 * attributes that are not persistent, and on parameters of constructors. The entity would be global, or its rows would be in arbitrary
 * shards.
 *
 * <p>An annotation that nobody reads is the one mistake that no other check can find, since the mapping is complete
 * without it.
 *
 * @param keys the attributes whose annotation has been read; any other annotation has no effect
 * @param ofParent the part of the entity's id that is the id of another entity, in which annotations are for that one; null for none
 * @param embeddables the classes in which annotations are looked for, besides the entity's own hierarchy
 */
record AnnotationCheck(
        PersistentClass entity, List<MappedAttribute> keys, @Nullable String ofParent, Set<Class<?>> embeddables) {
    /** Checks an entity with the given shard keys. */
    static void check(
            PersistentClass entity, List<MappedAttribute> keys, @Nullable String ofParent, MappingProblems problems) {
        AnnotationCheck check = new AnnotationCheck(entity, keys, ofParent, new LinkedHashSet<>());
        problems.collect(check::checkIds);
        Associations.values(entity).forEach(check::collect);
        problems.collect(() -> check.checkKeys(entity.getMappedClass()));
        check.embeddables.forEach(type -> problems.collect(() -> check.checkKeys(type)));
    }

    /** Refuses {@code @ShardedId} on another member than that of the id. */
    private void checkIds() {
        Property id = entity.getIdentifierProperty();
        for (Member member : members(entity.getMappedClass())) {
            if (((AnnotatedElement) member).isAnnotationPresent(ShardedId.class) && (id == null || !isOf(member, id))) {
                throw new ShardedIdMappingException("@ShardedId on " + at(member) + " of " + entity.getEntityName()
                        + " has no effect: it is not the id. A sharded id is a single Long: make it the whole id, and the"
                        + " other columns of a composite id ordinary attributes.");
            }
        }
    }

    /** Collects the class of an embeddable, which may be in a collection or within another embeddable. */
    private void collect(MappedValue<?> each) {
        boolean ofOther = ofParent != null && (each.path() + ".").startsWith(ofParent + ".");
        if (each.value() instanceof Component component && !component.isDynamic() && !ofOther) {
            if (component.getComponentClass() != entity.getMappedClass()) {
                embeddables.add(component.getComponentClass());
            }
            if (!component.isEmbedded()) {
                component.getProperties().forEach(part -> embeddables.add(MappedAttribute.ownerOf(component, part)));
            }
        }
    }

    /**
     * Refuses {@code @ShardKey} on a member of a class that is none of the read attributes. Kotlin puts the
     * annotation of {@code class Photo(@ShardKey val author: User)} on the parameter, and nowhere else; Java
     * copies that of a record's component to it, where it is harmless.
     */
    private void checkKeys(Class<?> type) {
        boolean known = keys.stream().anyMatch(key -> key.owner() == type);
        for (Member member : members(type)) {
            boolean effective = member instanceof Constructor<?>
                    ? known || member.getDeclaringClass().isRecord()
                    : keys.stream().anyMatch(key -> key.owner() == type && isOf(member, key.property()));
            if (!effective && isKey(member)) {
                throw new ShardedIdMappingException("@ShardKey on " + at(member) + " of " + entity.getEntityName()
                        + " has no effect. Put it on a persistent attribute of the entity that is not its whole id, or of an"
                        + " embeddable in it, not in a collection: where the mapping annotations are, all on fields or all on"
                        + " getters; in Kotlin, write @field:ShardKey. In a composite id, put it on a part of the entity's own"
                        + " id: with @IdClass, on the attribute of the entity.");
            }
        }
    }

    /** Returns whether a member, or a parameter of a constructor, has {@code @ShardKey}. */
    private static boolean isKey(Member member) {
        return member instanceof Constructor<?> constructor
                ? Stream.of(constructor.getParameters())
                        .anyMatch(parameter -> parameter.isAnnotationPresent(ShardKey.class))
                : ((AnnotatedElement) member).isAnnotationPresent(ShardKey.class);
    }

    /**
     * Returns the fields, methods and constructors of a class and its superclasses, since annotations may be on
     * any of them.
     */
    private static List<Member> members(@Nullable Class<?> type) {
        List<Member> found = new ArrayList<>();
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            found.addAll(List.of(at.getDeclaredFields()));
            found.addAll(List.of(at.getDeclaredMethods()));
            found.addAll(List.of(at.getDeclaredConstructors()));
        }
        return found;
    }

    private static String at(Member member) {
        String type = member.getDeclaringClass().getName();
        return member instanceof Constructor<?> ? "the constructor of " + type : type + "." + member.getName();
    }

    /** Returns whether a member is that of an attribute: its field, its getter, or a record's accessor. */
    private static boolean isOf(Member member, Property attribute) {
        String name = member.getName();
        return name.equals(attribute.getName())
                || (member instanceof Method
                        && (name.equalsIgnoreCase("get" + attribute.getName())
                                || name.equalsIgnoreCase("is" + attribute.getName())));
    }
}
