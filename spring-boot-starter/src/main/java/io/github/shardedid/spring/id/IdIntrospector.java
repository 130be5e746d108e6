package io.github.shardedid.spring.id;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.id.MalformedIdException;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/**
 * Has Jackson write sharded ids as text, and read them: the numbers of properties with {@link IdOf}, {@link ShardedId}, or a {@link ShardKey}
 * that refers to an entity. In a map whose keys can be ids, the keys are ids and the values are not. Immutable.
 */
final class IdIntrospector extends NopAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    private static final Set<Class<?>> NUMBERS = Set.of(Long.class, long.class, Integer.class, int.class);

    private final transient IdText ids;

    IdIntrospector(IdText ids) {
        this.ids = ids;
    }

    @Override
    public @Nullable Object findSerializer(MapperConfig<?> config, Annotated property) {
        return serializer(property, typeOf(property), false);
    }

    @Override
    public @Nullable Object findContentSerializer(MapperConfig<?> config, Annotated property) {
        return serializer(property, contentOf(property), false);
    }

    @Override
    public @Nullable Object findKeySerializer(MapperConfig<?> config, Annotated property) {
        return serializer(property, keyOf(property), true);
    }

    private @Nullable Object serializer(Annotated property, @Nullable JavaType type, boolean key) {
        return isNumber(type) && entityOf(property) != null ? new IdSerializer(key) : null;
    }

    @Override
    public @Nullable Object findDeserializer(MapperConfig<?> config, Annotated property) {
        return reader(property, typeOf(property), IdDeserializer::new);
    }

    @Override
    public @Nullable Object findContentDeserializer(MapperConfig<?> config, Annotated property) {
        return reader(property, contentOf(property), IdDeserializer::new);
    }

    @Override
    public @Nullable Object findKeyDeserializer(MapperConfig<?> config, Annotated property) {
        return reader(property, keyOf(property), IdKeyDeserializer::new);
    }

    private static @Nullable Object reader(
            Annotated property, @Nullable JavaType type, BiFunction<Class<?>, Class<?>, Object> reader) {
        Class<?> entity = entityOf(property);
        return type == null || !isNumber(type) || entity == null ? null : reader.apply(entity, type.getRawClass());
    }

    /** The entity whose id the property is; {@code void.class} if it is an id of an unknown entity; null if it is no id. */
    private static @Nullable Class<?> entityOf(Annotated property) {
        IdOf of = property.getAnnotation(IdOf.class);
        ShardKey key = property.getAnnotation(ShardKey.class);
        if (of != null) {
            return of.value();
        } else if (key != null && key.references() != void.class) {
            return key.references();
        }
        return property instanceof AnnotatedMember member && property.hasAnnotation(ShardedId.class)
                ? member.getDeclaringClass()
                : null;
    }

    private static @Nullable JavaType contentOf(Annotated property) {
        JavaType type = typeOf(property);
        return type == null || isNumber(type.getKeyType()) ? null : type.getContentType();
    }

    private static @Nullable JavaType keyOf(Annotated property) {
        JavaType type = typeOf(property);
        return type == null ? null : type.getKeyType();
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

    /** Writes an id as text, or as a key of a map. */
    private final class IdSerializer extends StdScalarSerializer<Number> {
        private final boolean key;

        IdSerializer(boolean key) {
            super(Number.class);
            this.key = key;
        }

        @Override
        public void serialize(Number id, JsonGenerator json, SerializationContext context) {
            String text = ids.print(id.longValue());
            if (key) {
                json.writeName(text);
            } else {
                json.writeString(text);
            }
        }
    }

    /** Reads an id from a text in the configured form, or from an integer. */
    private final class IdDeserializer extends StdScalarDeserializer<Object> {
        private final Class<?> entity;

        IdDeserializer(Class<?> entity, Class<?> type) {
            super(type);
            this.entity = entity;
        }

        @Override
        public Object deserialize(JsonParser json, DeserializationContext context) {
            boolean number = json.currentToken() == JsonToken.VALUE_NUMBER_INT;
            if (!number && json.currentToken() != JsonToken.VALUE_STRING) {
                return context.handleUnexpectedToken(handledType(), json);
            }
            String text = json.getString();
            return read(
                    handledType(),
                    () -> number ? ids.parseDecimal(text, entity) : ids.parsePrinted(text, entity),
                    why -> context.weirdStringException(text, handledType(), why));
        }

        @Override
        public @Nullable Object getNullValue(DeserializationContext context) {
            return handledType().isPrimitive()
                    ? context.reportInputMismatch(this, "null is no id. Send one, or declare the property as Long.")
                    : null;
        }
    }

    /** Reads an id from a key of a map. */
    private final class IdKeyDeserializer extends KeyDeserializer {
        private final Class<?> entity;
        private final Class<?> type;

        IdKeyDeserializer(Class<?> entity, Class<?> type) {
            this.entity = entity;
            this.type = type;
        }

        @Override
        public Object deserializeKey(String key, DeserializationContext context) {
            return read(type, () -> ids.parsePrinted(key, entity), why -> context.weirdKeyException(type, key, why));
        }
    }

    /** No entity with 64-bit ids has an int id, but a class of the application may declare one. */
    private static Object read(Class<?> type, LongSupplier parsed, Function<String, DatabindException> refusal) {
        try {
            long id = parsed.getAsLong();
            if (type != Integer.class && type != int.class) {
                return id;
            } else if (id > Integer.MAX_VALUE) {
                throw new MalformedIdException(id + " does not fit into an int. Declare the property as Long.");
            }
            return (int) id;
        } catch (MalformedIdException e) {
            DatabindException refused = refusal.apply(String.valueOf(e.getMessage()));
            refused.initCause(e);
            throw refused;
        }
    }
}
