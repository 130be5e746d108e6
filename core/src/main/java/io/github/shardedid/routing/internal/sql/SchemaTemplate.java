package io.github.shardedid.routing.internal.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A text with placeholders of schemas, or none. Some of the texts made of it are kept: for the same shard it is
 * the same string then, whose hash the driver need not compute again to find what it has prepared. Safe for use
 * by several threads: what one of them does not see is made again.
 */
public final class SchemaTemplate {
    /**
     * The number of texts that are kept, a power of two. Statements that go to thousands of shards shall not
     * fill the memory.
     */
    private static final int KEPT = 8;

    /** The characters of the longest text that is kept, for the same reason. */
    private static final int LONGEST_KEPT = 1_000;

    /** The bytes of what is not text. */
    private static final int OBJECTS = 1_024;

    /** The text between the placeholders; a single one if there is no placeholder. */
    private final List<String> segments;

    /**
     * The texts that were made last, each at the hash of its schema. Without a lock: a thread that does not see
     * a text makes it again.
     */
    private final @Nullable Text[] kept;

    private final int length;

    /** A text that was made for a schema. */
    private record Text(String schema, String sql) {}

    public SchemaTemplate(List<String> segments) {
        this.segments = List.copyOf(segments);
        this.length = String.join(SchemaPlaceholder.OF_SHARD, segments).length();
        this.kept = new Text[namesSchema() ? KEPT : 0];
    }

    /**
     * Returns what this, its text and the texts that it will keep take in memory, at two bytes a character;
     * never above 2 GB.
     */
    public int bytes() {
        long characters = length * 2L + (long) kept.length * Math.min(length, LONGEST_KEPT);
        return (int) Math.min(Integer.MAX_VALUE, OBJECTS + 2 * characters);
    }

    /** Returns whether there is a placeholder. */
    public boolean namesSchema() {
        return segments.size() > 1;
    }

    /** Returns the text with a schema for the placeholders. */
    public String in(String schema) {
        if (!namesSchema()) {
            return segments.get(0);
        }
        int slot = schema.hashCode() & (KEPT - 1);
        Text known = kept[slot];
        if (known != null && known.schema.equals(schema)) {
            return known.sql;
        }
        String sql = String.join(schema, segments);
        if (sql.length() <= LONGEST_KEPT) {
            kept[slot] = new Text(schema, sql);
        }
        return sql;
    }
}
