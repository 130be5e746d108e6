package io.github.shardedid.topology;

import org.jspecify.annotations.Nullable;

/** The PostgreSQL schema of a logical shard: {@code shard_0005} holds the sharded tables of shard 5. */
public final class ShardSchema {
    private static final String[] PREFIXES = {"shard_000", "shard_00", "shard_0", "shard_"};

    /** Each statement needs one. Those of the default layout's shards are kept when they have been needed once. */
    private static final @Nullable String[] KEPT = new String[1 << 13];

    private ShardSchema() {}

    /**
     * The name of a shard's schema.
     *
     * @param shard the logical shard, 0 or more
     * @return {@code shard_} and the number in four digits or more; never in need of quotes
     */
    public static String nameOf(int shard) {
        String known = shard >= 0 && shard < KEPT.length ? KEPT[shard] : null;
        return known == null ? make(shard) : known;
    }

    private static String make(int shard) {
        String digits = Integer.toString(shard);
        String made = PREFIXES[Math.min(digits.length(), PREFIXES.length) - 1] + digits;
        if (shard >= 0 && shard < KEPT.length) {
            KEPT[shard] = made; // whoever does not see it makes an equal one
        }
        return made;
    }

    /**
     * The name that a shard's schema gets in a database that the shard leaves, so that whoever still goes there finds nothing.
     *
     * @param shard the logical shard, 0 or more
     * @param generation that of the shard in this database
     * @return the schema's name, {@code _fenced_} and the generation; never in need of quotes
     */
    public static String fencedNameOf(int shard, long generation) {
        return nameOf(shard) + "_fenced_" + generation;
    }
}
