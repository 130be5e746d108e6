package io.github.shardedid.spring.json;

import io.github.shardedid.hibernate.GlobalEntity;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.spring.id.IdOf;
import jakarta.persistence.Id;
import jakarta.persistence.MapsId;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMember;

/** Recognizes properties with sharded ids by their annotations. */
final class IdProperties {
    private IdProperties() {}

    /** The entity whose id the property is; {@code void.class} if it is an id of an unknown entity; null if it is no id. */
    static @Nullable Class<?> entityOf(Annotated property) {
        IdOf of = property.getAnnotation(IdOf.class);
        if (of != null) {
            return of.value();
        }
        ShardKey key = property.getAnnotation(ShardKey.class);
        if (key != null && key.references() != void.class) {
            return key.references();
        }
        if (!(property instanceof AnnotatedMember member)) {
            return null;
        }
        Class<?> owner = member.getDeclaringClass();
        if (isGlobal(owner)) {
            return null;
        }
        if (property.hasAnnotation(ShardedId.class)) {
            return owner;
        }
        return property.hasAnnotation(Id.class) && mapsAnId(owner) ? owner : null;
    }

    /** Whether a class is a global entity. Its id is not sharded, even if it inherits {@link ShardedId}. */
    static boolean isGlobal(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (at.isAnnotationPresent(GlobalEntity.class)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the property is an id only by {@link ShardedId} or {@link MapsId}, which a global entity may inherit. */
    static boolean isInherited(Annotated property) {
        ShardKey key = property.getAnnotation(ShardKey.class);
        return !property.hasAnnotation(IdOf.class) && (key == null || key.references() == void.class);
    }

    private static boolean mapsAnId(Class<?> entity) {
        return members(entity).anyMatch(IdProperties::mapsSharded);
    }

    private static boolean mapsSharded(AccessibleObject member) {
        MapsId maps = member.getAnnotation(MapsId.class);
        return maps != null
                && maps.value().isEmpty()
                && isSharded(member instanceof Field field ? field.getType() : ((Method) member).getReturnType());
    }

    private static boolean isSharded(Class<?> entity) {
        return !isGlobal(entity)
                && (members(entity).anyMatch(member -> member.isAnnotationPresent(ShardedId.class))
                        || mapsAnId(entity));
    }

    private static Stream<AccessibleObject> members(Class<?> entity) {
        return Stream.<Class<?>>iterate(entity, Objects::nonNull, Class::getSuperclass)
                .flatMap(type ->
                        Stream.concat(Stream.of(type.getDeclaredFields()), Stream.of(type.getDeclaredMethods())));
    }
}
