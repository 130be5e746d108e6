package io.github.shardedid.spring.json;

import io.github.shardedid.spring.id.IdText;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/** Writes an id as a key of a map. */
final class IdKeySerializer extends StdScalarSerializer<Number> {
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
