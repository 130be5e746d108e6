package io.github.shardedid.spring.json;

import io.github.shardedid.spring.id.IdText;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.Version;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMethod;

/** Tells Jackson which properties are ids. Called once for each property of a class. */
final class IdIntrospector extends AnnotationIntrospector {
    private static final long serialVersionUID = 1;

    private static final Set<Class<?>> NUMBERS = Set.of(Long.class, long.class, Integer.class, int.class);

    private final transient IdText ids;

    IdIntrospector(IdText ids) {
        this.ids = ids;
    }

    @Override
    public Version version() {
        return Version.unknownVersion();
    }

    @Override
    public @Nullable Object findSerializer(MapperConfig<?> config, Annotated property) {
        return serializer(property, typeOf(property));
    }

    @Override
    public @Nullable Object findContentSerializer(MapperConfig<?> config, Annotated property) {
        return serializer(property, contentOf(property));
    }

    private @Nullable Object serializer(Annotated property, @Nullable JavaType type) {
        return isNumber(type) && IdProperties.entityOf(property) != null
                ? new IdSerializer(ids, IdProperties.isInherited(property))
                : null;
    }

    @Override
    public @Nullable Object findKeySerializer(MapperConfig<?> config, Annotated property) {
        return isNumber(keyOf(property)) && IdProperties.entityOf(property) != null ? new IdKeySerializer(ids) : null;
    }

    @Override
    public @Nullable Object findDeserializer(MapperConfig<?> config, Annotated property) {
        return deserializer(property, typeOf(property));
    }

    @Override
    public @Nullable Object findContentDeserializer(MapperConfig<?> config, Annotated property) {
        return deserializer(property, contentOf(property));
    }

    @Override
    public @Nullable Object findKeyDeserializer(MapperConfig<?> config, Annotated property) {
        JavaType key = keyOf(property);
        Class<?> entity = isNumber(key) ? IdProperties.entityOf(property) : null;
        return entity == null || key == null ? null : new IdKeyDeserializer(ids, entity, key.getRawClass());
    }

    /** In a map whose keys can be ids, the keys are ids and the values are not. */
    private static @Nullable JavaType contentOf(Annotated property) {
        JavaType type = typeOf(property);
        return type == null || isNumber(keyOf(property)) ? null : type.getContentType();
    }

    private static @Nullable JavaType keyOf(Annotated property) {
        JavaType type = typeOf(property);
        return type == null ? null : type.getKeyType();
    }

    private @Nullable Object deserializer(Annotated property, @Nullable JavaType type) {
        Class<?> entity = isNumber(type) ? IdProperties.entityOf(property) : null;
        return entity == null || type == null
                ? null
                : new IdDeserializer(ids, entity, type.getRawClass(), IdProperties.isInherited(property));
    }

    /** The type of the parameter of a setter, not its return type. Null for a class, with which Jackson calls this, too. */
    private static @Nullable JavaType typeOf(Annotated property) {
        return property instanceof AnnotatedMethod method && method.getParameterCount() == 1
                ? method.getParameterType(0)
                : property.getType();
    }

    private static boolean isNumber(@Nullable JavaType type) {
        return type != null && NUMBERS.contains(type.getRawClass());
    }
}
