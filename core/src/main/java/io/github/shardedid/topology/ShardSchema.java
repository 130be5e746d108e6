package io.github.shardedid.topology;

import org.jspecify.annotations.Nullable;

/** The PostgreSQL schema of a logical shard: {@code shard_0005} contains the sharded tables of shard 5. */
public final class ShardSchema {
    private static final String[] PREFIXES = {"shard_000", "shard_00", "shard_0", "shard_"};

    /** A cache for the shards of the default layout, since each statement needs a name. */
    private static final @Nullable String[] CACHE = new String[1 << 13];

    private ShardSchema() {}

    /**
     * The name of a shard's schema.
     *
     * @param shard the logical shard, 0 or more
     * @return {@code shard_} and the number in four digits or more; never needs quotes
     */
    public static String nameOf(int shard) {
        String known = shard >= 0 && shard < CACHE.length ? CACHE[shard] : null;
        return known == null ? make(shard) : known;
    }

    private static String make(int shard) {
        String digits = Integer.toString(shard);
        String made = PREFIXES[Math.min(digits.length(), PREFIXES.length) - 1] + digits;
        if (shard >= 0 && shard < CACHE.length) {
            CACHE[shard] = made; // a benign race: a thread that does not see it creates an equal one
        }
        return made;
    }

    /**
     * The name to which a shard's schema is renamed in the database that it leaves, so that late statements do not find it.
     *
     * @param shard the logical shard, 0 or more
     * @param generation the generation of the shard in this database
     * @return the schema's name, {@code _fenced_} and the generation; never needs quotes
     */
    public static String fencedNameOf(int shard, long generation) {
        return nameOf(shard) + "_fenced_" + generation;
    }
}
