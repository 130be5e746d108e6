package io.github.shardedid.topology;

/** The PostgreSQL schema of a logical shard: {@code shard_0005} holds the sharded tables of shard 5. */
public final class ShardSchema {
    private static final String PREFIX = "shard_";

    private ShardSchema() {}

    /**
     * The name of a shard's schema.
     *
     * @param shard the logical shard, 0 or more
     * @return {@code shard_} and the number in four digits or more; never in need of quotes
     */
    public static String nameOf(int shard) {
        String digits = Integer.toString(shard);
        return PREFIX + "0".repeat(Math.max(0, 4 - digits.length())) + digits;
    }
}
