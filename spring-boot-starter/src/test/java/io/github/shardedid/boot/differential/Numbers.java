package io.github.shardedid.boot.differential;

import io.github.shardedid.id.IdLayout;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which id the row has that steps call by a number: a preset one in the shard "number modulo shards" below 1,000, what the
 * sharded side made from 1,000 on, and one that no shard can have made below 0.
 */
final class Numbers {
    static final int SHARDS = 6;
    static final int GENERATED = 1_000;
    static final IdLayout LAYOUT = IdLayout.DEFAULT.withEpoch(Instant.parse("2024-01-01T00:00:00Z"));

    private static final long START = 4_000_000_000L;
    private static final long END = START + GENERATED;
    private static final int ABSENT = 997;

    /** As of the beginning of the step: what the sharded side makes in it, the plain side may not know earlier. */
    private final Map<String, Long> known = new ConcurrentHashMap<>();

    private final Map<String, Long> generated = new ConcurrentHashMap<>();
    private final Set<String> noted = ConcurrentHashMap.newKeySet();
    private final Set<String> given = ConcurrentHashMap.newKeySet();
    private long unused;

    long id(Kind kind, int number) {
        if (number >= GENERATED) {
            return known.getOrDefault(kind + "#" + number, preset(ABSENT));
        }
        return number >= 0 ? preset(number) : number == -1 ? -1 : LAYOUT.encode(START, SHARDS + 1, 0);
    }

    static long preset(int number) {
        return LAYOUT.encode(START + number, number % SHARDS, number % 512);
    }

    /** The id that the sharded side has made for a new row. */
    void made(Kind kind, Row row) {
        Long id = row.getId();
        if (id != null && row.number() >= GENERATED && noted.add(kind + "#" + id)) {
            generated.put(kind + "#" + row.number(), id);
        }
    }

    /** The id that the plain side is to give to a new row; one of the right shard if the other side has made none. */
    long give(Kind kind, Row row) {
        Long made = generated.get(kind + "#" + row.number());
        Long parent = row.parent();
        int shard = parent == null ? row.number() % SHARDS : LAYOUT.shardOf(parent);
        return made != null && given.add(kind + "#" + made) ? made : LAYOUT.encode(END + unused++, shard, 1);
    }

    void beginStep() {
        known.putAll(generated);
    }

    void forget() {
        generated.clear();
        known.clear();
        noted.clear();
        given.clear();
    }
}
