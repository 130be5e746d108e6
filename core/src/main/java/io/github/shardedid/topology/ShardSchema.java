package io.github.shardedid.topology;

/** The PostgreSQL schema of a logical shard: {@code shard_0005} holds the sharded tables of shard 5. */
public final class ShardSchema {
    private static final String[] PREFIXES = {"shard_000", "shard_00", "shard_0", "shard_"};

    private ShardSchema() {}

    /**
     * The name of a shard's schema.
     *
     * @param shard the logical shard, 0 or more
     * @return {@code shard_} and the number in four digits or more; never in need of quotes
     */
    public static String nameOf(int shard) {
        String digits = Integer.toString(shard);
        return PREFIXES[Math.min(digits.length(), PREFIXES.length) - 1] + digits;
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
