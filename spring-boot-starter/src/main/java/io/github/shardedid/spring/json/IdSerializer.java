package io.github.shardedid.spring.json;

import io.github.shardedid.spring.id.IdText;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/** Writes an id as text, and reports that type to schema generators. */
final class IdSerializer extends StdScalarSerializer<Number> {
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
