package io.github.shardedid.spring.id;

import io.github.shardedid.hibernate.GlobalEntity;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.id.MalformedIdException;
import jakarta.persistence.Id;
import jakarta.persistence.MapsId;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.Version;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.ser.std.StdScalarSerializer;

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

    /** Reads an id from a text in the configured form, or from an integer. */
    static final class IdDeserializer extends StdScalarDeserializer<Object> {
        private final IdText ids;
        private final Class<?> entity;
        private final Class<?> type;
        private final boolean inherited;

        /** A global entity may inherit the property: then the object that is read decides. */
        IdDeserializer(IdText ids, Class<?> entity, Class<?> type, boolean inherited) {
            super(type);
            this.inherited = inherited;
            this.ids = ids;
            this.entity = entity;
            this.type = type;
        }

        @Override
        public Object deserialize(JsonParser json, DeserializationContext context) {
            Object owner = inherited ? json.currentValue() : null;
            if (owner != null && IdProperties.isGlobal(owner.getClass())) {
                return inType(type, json.getValueAsLong());
            }
            boolean number = json.currentToken() == JsonToken.VALUE_NUMBER_INT;
            if (!number && json.currentToken() != JsonToken.VALUE_STRING) {
                return context.handleUnexpectedToken(type, json);
            }
            String text = json.getString();
            try {
                return inType(type, number ? ids.parseDecimal(text, entity) : ids.parsePrinted(text, entity));
            } catch (MalformedIdException e) {
                DatabindException refused = context.weirdStringException(text, type, String.valueOf(e.getMessage()));
                refused.initCause(e);
                throw refused;
            }
        }

        /** A primitive without a value is 0 if Jackson is configured to allow that. */
        @Override
        public @Nullable Object getNullValue(DeserializationContext context) {
            if (!type.isPrimitive()) {
                return null;
            }
            if (context.isEnabled(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)) {
                context.reportInputMismatch(this, "null is no id. Send one, or declare the property as Long.");
            }
            return inType(type, 0);
        }

        /** No entity with 64-bit ids has an int id, but a class of the application may declare one. */
        static Object inType(Class<?> type, long id) {
            if (type != Integer.class && type != int.class) {
                return id;
            }
            if (id > Integer.MAX_VALUE) {
                throw new MalformedIdException(id + " does not fit into an int. Declare the property as Long.");
            }
            return (int) id;
        }
    }

    /** Writes an id as text, and reports that type to schema generators. */
    static final class IdSerializer extends StdScalarSerializer<Number> {
        private final IdText ids;
        private final boolean inherited;

        /** A global entity may inherit the property: then the object that contains it decides. */
        IdSerializer(IdText ids, boolean inherited) {
            super(Number.class);
            this.ids = ids;
            this.inherited = inherited;
        }

        @Override
        public void serialize(Number id, JsonGenerator json, SerializationContext context) {
            Object owner = inherited ? json.currentValue() : null;
            if (owner != null && IdProperties.isGlobal(owner.getClass())) {
                json.writeNumber(id.longValue());
            } else {
                json.writeString(ids.print(id.longValue()));
            }
        }

        @Override
        public void acceptJsonFormatVisitor(JsonFormatVisitorWrapper visitor, JavaType type) {
            visitStringFormat(visitor, type);
        }
    }

    /** Writes an id as a key of a map. */
    static final class IdKeySerializer extends StdScalarSerializer<Number> {
        private final IdText ids;

        IdKeySerializer(IdText ids) {
            super(Number.class);
            this.ids = ids;
        }

        @Override
        public void serialize(Number id, JsonGenerator json, SerializationContext context) {
            json.writeName(ids.print(id.longValue()));
        }
    }

    /** Reads an id from a key of a map. */
    static final class IdKeyDeserializer extends KeyDeserializer {
        private final IdText ids;
        private final Class<?> entity;
        private final Class<?> type;

        IdKeyDeserializer(IdText ids, Class<?> entity, Class<?> type) {
            this.ids = ids;
            this.entity = entity;
            this.type = type;
        }

        @Override
        public Object deserializeKey(String key, DeserializationContext context) {
            try {
                return IdDeserializer.inType(type, ids.parsePrinted(key, entity));
            } catch (MalformedIdException e) {
                DatabindException refused = context.weirdKeyException(type, key, String.valueOf(e.getMessage()));
                refused.initCause(e);
                throw refused;
            }
        }
    }

    /** Recognizes properties with sharded ids by their annotations. */
    static final class IdProperties {
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

        /** Returns whether a class is a global entity. Its id is not sharded, even if it inherits {@link ShardedId}. */
        static boolean isGlobal(Class<?> type) {
            for (Class<?> at = type; at != null; at = at.getSuperclass()) {
                if (at.isAnnotationPresent(GlobalEntity.class)) {
                    return true;
                }
            }
            return false;
        }

        /** Returns whether the property is an id only by {@link ShardedId} or {@link MapsId}, which a global entity may inherit. */
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
}
