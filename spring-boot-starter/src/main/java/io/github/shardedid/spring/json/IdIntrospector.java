package io.github.shardedid.spring.json;

import io.github.shardedid.spring.id.IdText;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.Version;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMethod;

/** Tells Jackson which properties are ids; asked once for each property of a class. */
final class IdIntrospector extends AnnotationIntrospector {
    private static final long serialVersionUID = 1;

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
        return isNumber(typeOf(property)) && IdProperties.entityOf(property) != null ? new IdSerializer(ids) : null;
    }

    @Override
    public @Nullable Object findContentSerializer(MapperConfig<?> config, Annotated property) {
        return isNumber(typeOf(property).getContentType()) && IdProperties.entityOf(property) != null
                ? new IdSerializer(ids)
                : null;
    }

    @Override
    public @Nullable Object findDeserializer(MapperConfig<?> config, Annotated property) {
        return deserializer(property, typeOf(property));
    }

    @Override
    public @Nullable Object findContentDeserializer(MapperConfig<?> config, Annotated property) {
        return deserializer(property, typeOf(property).getContentType());
    }

    private @Nullable Object deserializer(Annotated property, @Nullable JavaType type) {
        Class<?> entity = isNumber(type) ? IdProperties.entityOf(property) : null;
        return entity == null || type == null ? null : new IdDeserializer(ids, entity, type.getRawClass());
    }

    /** Of a setter it is not what this returns. */
    private static JavaType typeOf(Annotated property) {
        return property instanceof AnnotatedMethod method && method.getParameterCount() == 1
                ? method.getParameterType(0)
                : property.getType();
    }

    private static boolean isNumber(@Nullable JavaType type) {
        return type != null
                && (type.hasRawClass(Long.class)
                        || type.hasRawClass(long.class)
                        || type.hasRawClass(Integer.class)
                        || type.hasRawClass(int.class));
    }
}
