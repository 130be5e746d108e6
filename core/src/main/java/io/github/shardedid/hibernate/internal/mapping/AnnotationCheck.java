package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import java.lang.annotation.Annotation;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.IndexedCollection;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Value;
import org.jspecify.annotations.Nullable;

/**
 * Refuses {@link ShardedId} and {@link ShardKey} where they would have no effect: in composite ids, in collections, on attributes
 * that are not persistent, and on parameters of constructors. The entity would be global, or its rows would be in arbitrary shards.
 */
final class AnnotationCheck {
    private final PersistentClass entity;
    private final Set<String> keys = new LinkedHashSet<>();
    private final @Nullable String ofParent;
    private final MappingProblems problems;

    private AnnotationCheck(
            PersistentClass entity, List<MappedAttribute> keys, @Nullable String ofParent, MappingProblems problems) {
        this.entity = entity;
        this.ofParent = ofParent;
        this.problems = problems;
        keys.forEach(key -> this.keys.add(key.path()));
    }

    /**
     * Checks an entity with the given shard keys.
     *
     * @param ofParent the part of its id that is the id of another entity, in which annotations are for that one; null for none
     */
    static void check(
            PersistentClass entity, List<MappedAttribute> keys, @Nullable String ofParent, MappingProblems problems) {
        new AnnotationCheck(entity, keys, ofParent, problems).check();
    }

    private void check() {
        Property id = entity.getIdentifierProperty();
        for (Member member : annotated(entity.getMappedClass(), ShardedId.class)) {
            if (id == null || !name(member).equals(id.getName())) {
                refuse(
                        "@ShardedId",
                        member,
                        id == null
                                ? "is part of a composite id. A sharded id is a single Long: make it the whole id, and the"
                                        + " other columns ordinary attributes."
                                : "is not the id. Put it on " + id.getName() + ", or remove it.");
            }
        }
        check(entity.getMappedClass(), "", keys, null);
        entity.getPropertyClosure().forEach(property -> checkWithin(property.getName(), property.getValue()));
        if (entity.getIdentifier() instanceof Component composite) {
            refuseWithin(
                    composite,
                    keys,
                    id == null ? "" : id.getName() + ".",
                    "is within a part of the composite id. Put it on a part of the id of " + entity.getEntityName()
                            + " itself: with @IdClass, on the attribute of the entity.");
        }
    }

    private void checkWithin(String path, @Nullable Value value) {
        if (value instanceof Component component && !component.isEmbedded() && !component.isDynamic()) {
            classes(component).forEach(type -> check(type, path + ".", keys, null));
            component.getProperties().forEach(part -> checkWithin(path + "." + part.getName(), part.getValue()));
        } else if (value instanceof org.hibernate.mapping.Collection collection) {
            String why = "is in the collection " + path + ", whose rows are in the shard of their "
                    + entity.getEntityName() + ". Remove it.";
            refuseWithin(collection.getElement(), Set.of(), "", why);
            if (collection instanceof IndexedCollection indexed) {
                refuseWithin(indexed.getIndex(), Set.of(), "", why);
            }
        }
    }

    private void refuseWithin(@Nullable Value value, Set<String> known, String prefix, String why) {
        if (value instanceof Component component && !component.isDynamic()) {
            classes(component).forEach(type -> check(type, prefix, known, why));
            component.getProperties().stream()
                    .filter(part -> !(prefix + part.getName()).equals(ofParent))
                    .forEach(part -> refuseWithin(part.getValue(), Set.of(), "", why));
        }
    }

    private static Set<Class<?>> classes(Component component) {
        Set<Class<?>> classes = new LinkedHashSet<>();
        classes.add(component.getComponentClass());
        component.getProperties().forEach(part -> classes.add(MappedAttribute.ownerOf(component, part)));
        return classes;
    }

    private void check(Class<?> type, String prefix, Set<String> known, @Nullable String why) {
        for (Member member : annotated(type, ShardKey.class)) {
            if (!known.contains(prefix + name(member))) {
                refuse("@ShardKey", member, why == null ? reason(name(member)) : why);
            }
        }
        if (known.stream().noneMatch(key -> key.startsWith(prefix))) {
            checkConstructors(type);
        }
    }

    /** Kotlin puts the annotation of {@code class Photo(@ShardKey val author: User)} on the parameter, and nowhere else. */
    private void checkConstructors(@Nullable Class<?> type) {
        for (Class<?> at = type; at != null && at != Object.class && !at.isRecord(); at = at.getSuperclass()) {
            boolean annotated = Stream.of(at.getDeclaredConstructors())
                    .flatMap(constructor -> Stream.of(constructor.getParameters()))
                    .anyMatch(parameter -> parameter.isAnnotationPresent(ShardKey.class));
            if (annotated) {
                refuse(
                        "@ShardKey",
                        at.getDeclaredConstructors()[0],
                        "is on a parameter of the constructor. Put it on the attribute; in Kotlin, write @field:ShardKey.");
            }
        }
    }

    private String reason(String name) {
        Property id = entity.getIdentifierProperty();
        boolean isId = id == null
                ? entity.getIdentifier() instanceof Component composite && composite.hasProperty(name)
                : id.getName().equals(name);
        return isId
                ? "is " + (id == null ? "part of a composite id" : "the id") + ". A sharded entity has a single Long id"
                        + " with @ShardedId, and its shard key is another attribute."
                : "is not a persistent attribute of " + entity.getEntityName()
                        + " with the access type in use. Put it where the mapping annotations are: all on fields, or all on"
                        + " getters.";
    }

    private void refuse(String annotation, Member member, String why) {
        problems.collect(() -> {
            throw new ShardedIdMappingException(
                    annotation + " on " + at(member) + " of " + entity.getEntityName() + " has no effect: it " + why);
        });
    }

    private static String at(Member member) {
        String type = member.getDeclaringClass().getName();
        return member instanceof Constructor<?> ? "the constructor of " + type : type + "." + member.getName();
    }

    private static List<Member> annotated(@Nullable Class<?> type, Class<? extends Annotation> annotation) {
        List<Member> found = new ArrayList<>();
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            Stream.of(List.of(at.getDeclaredFields()), List.of(at.getDeclaredMethods()))
                    .flatMap(Collection::stream)
                    .map(AccessibleObject.class::cast)
                    .filter(member -> member.isAnnotationPresent(annotation))
                    .forEach(member -> found.add((Member) member));
        }
        return found;
    }

    /** The attribute's name: of a field, a getter, or a record's accessor. */
    private static String name(Member member) {
        String name = member.getName();
        if (member instanceof Field) {
            return name;
        }
        int prefix = name.startsWith("get") ? 3 : name.startsWith("is") ? 2 : 0;
        boolean getter = prefix > 0 && name.length() > prefix && Character.isUpperCase(name.charAt(prefix));
        return member instanceof Method && getter ? decapitalized(name.substring(prefix)) : name;
    }

    /** As java.beans.Introspector, which is in another module of the JDK. */
    private static String decapitalized(String name) {
        boolean acronym = name.length() > 1 && Character.isUpperCase(name.charAt(1));
        return acronym ? name : name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }
}
