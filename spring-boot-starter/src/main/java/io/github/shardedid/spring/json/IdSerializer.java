package io.github.shardedid.spring.json;

import io.github.shardedid.spring.id.IdText;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/** Writes an id as text, and says so to what makes schemas. */
final class IdSerializer extends StdScalarSerializer<Number> {
    private final IdText ids;

    IdSerializer(IdText ids) {
        super(Number.class);
        this.ids = ids;
    }

    @Override
    public void serialize(Number id, JsonGenerator json, SerializationContext context) {
        json.writeString(ids.print(id.longValue()));
    }

    @Override
    public void acceptJsonFormatVisitor(JsonFormatVisitorWrapper visitor, JavaType type) {
        visitStringFormat(visitor, type);
    }
}
