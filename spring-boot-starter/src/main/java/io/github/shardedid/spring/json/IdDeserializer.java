package io.github.shardedid.spring.json;

import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.spring.id.IdText;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/** Reads an id from a text in the configured form, or from an integer. */
final class IdDeserializer extends StdScalarDeserializer<Object> {
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
