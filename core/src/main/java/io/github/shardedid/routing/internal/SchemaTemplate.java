package io.github.shardedid.routing.internal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A text with placeholders of schemas, or none. Some of the texts made of it are kept: for the same shard it is the same string
 * then, whose hash the driver need not compute anew to find what it has prepared. Safe for use by several threads: what one of
 * them does not see is made again.
 */
final class SchemaTemplate {
    /** A power of two. Most statements go to a few shards, and those that go to thousands shall not fill the memory. */
    private static final int KEPT = 16;

    /** The text between the placeholders; a single one if there is no placeholder. */
    private final List<String> segments;

    private final @Nullable Text[] kept;

    private record Text(String schema, String sql) {}

    SchemaTemplate(List<String> segments) {
        this.segments = List.copyOf(segments);
        this.kept = new Text[namesSchema() ? KEPT : 0];
    }

    boolean namesSchema() {
        return segments.size() > 1;
    }

    String in(String schema) {
        if (!namesSchema()) {
            return segments.get(0);
        }
        int slot = schema.hashCode() & (KEPT - 1);
        Text known = kept[slot];
        if (known == null || !known.schema.equals(schema)) {
            known = new Text(schema, String.join(schema, segments));
            kept[slot] = known;
        }
        return known.sql;
    }
}
