package io.github.shardedid.routing.internal.scatter;

import com.github.benmanes.caffeine.cache.Cache;
import io.github.shardedid.routing.internal.sql.SqlAnalyses;
import io.github.shardedid.routing.internal.sql.query.Assumptions;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import io.github.shardedid.topology.ShardSchema;
import java.util.List;

/**
 * The statements for chunks of shards. They are long, and those for all shards are the same each time, for the driver, too,
 * whose cache of prepared statements need not compare what is the same string. Safe for use by several threads.
 */
final class ChunkTexts {
    private static final long BYTES = 32_000_000;

    private static final long SEPARATE_BYTES = 1_000_000;

    /** What is not text, in bytes: of an entry, and of each of its shards. */
    private static final int OBJECTS = 256;

    private static final int SHARD = 24;

    private final Cache<Key, String> texts = SqlAnalyses.keptTexts(BYTES, ChunkTexts::bytes);

    /** Queries of which each shard needs a statement of its own. */
    private final Cache<Assumptions, Boolean> separate =
            SqlAnalyses.keptTexts(SEPARATE_BYTES, (assumptions, yes) -> OBJECTS);

    /** Once a query is checked again, its texts are other ones, too. */
    private record Key(
            String sql,
            Assumptions assumptions,
            List<Integer> shards,
            ScatterBounds bounds,
            boolean withinTransaction) {}

    /** The key's text is the query's, which is held elsewhere, too, but perhaps no longer. */
    private static int bytes(Key key, String text) {
        return 2 * (key.sql.length() + text.length()) + SHARD * key.shards.size() + OBJECTS;
    }

    /** Whether the rows of two shards are never in one statement. */
    boolean isSeparate(ScatterQuery query) {
        return separate.getIfPresent(query.assumptions()) != null;
    }

    /** Remembers that a statement for two shards fails, so that it fails only once. */
    void separate(ScatterQuery query) {
        separate.put(query.assumptions(), true);
    }

    /**
     * What to send for the shards of a chunk.
     *
     * @param ofCaller whether it is sent within the caller's transaction, so that what this has set holds anyway; else the text has
     *     values that are seldom the same again
     */
    String of(ScatterCall call, List<Integer> shards, boolean withinTransaction, boolean ofCaller) {
        ScatterQuery query = call.query();
        Key wanted = new Key(query.text(), query.assumptions(), shards, call.bounds(), withinTransaction);
        return ofCaller || call.local().isEmpty()
                ? texts.get(wanted, key -> text(query, key, ""))
                : text(query, wanted, call.local());
    }

    private static String text(ScatterQuery query, Key key, String local) {
        List<String> schemas = key.shards.stream().map(ShardSchema::nameOf).toList();
        return query.sent(schemas, key.bounds.most(), key.bounds.roots(), key.withinTransaction, local);
    }
}
