package io.github.shardedid.spring.json;

import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.spring.id.IdText;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.KeyDeserializer;

/** Reads an id from a key of a map. */
final class IdKeyDeserializer extends KeyDeserializer {
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
