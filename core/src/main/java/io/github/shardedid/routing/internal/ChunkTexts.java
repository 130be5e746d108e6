package io.github.shardedid.routing.internal;

import io.github.shardedid.topology.ShardSchema;
import java.util.List;

/**
 * The statements for chunks of shards. They are long, and those for all shards are the same each time, for the driver, too,
 * whose cache of prepared statements need not compare what is the same string. Safe for use by several threads.
 */
final class ChunkTexts {
    private static final long CHARACTERS = 16_000_000;

    private final BoundedCache<Key, String> texts = new BoundedCache<>(CHARACTERS, String::length);

    private record Key(String sql, List<Integer> shards, long most, boolean withinTransaction) {}

    /** What to send for the shards of a chunk; {@code most} is how many rows each returns at most. */
    String of(ScatterQuery query, List<Integer> shards, long most, boolean withinTransaction) {
        return texts.get(new Key(query.text(), shards, most, withinTransaction), key -> {
            List<String> schemas = shards.stream().map(ShardSchema::nameOf).toList();
            return withinTransaction ? query.withinTransaction(schemas, most) : query.inSchemas(schemas, most);
        });
    }
}
