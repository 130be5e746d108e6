package io.github.shardedid.topology;

import org.jspecify.annotations.Nullable;

/**
 * A database's record of a shard that it owns or has owned.
 *
 * @param shard the logical shard
 * @param database the name of the database
 * @param generation the generation of the shard, 1 or more; each move increments it, and of two owners the one with the higher
 *     generation is valid
 * @param standing whether the database serves the shard
 * @param successor the database that took over the shard from this one; null if unknown, or if the shard has not left
 */
public record ShardOwnership(
        int shard, String database, long generation, Standing standing, @Nullable String successor) {
    /** The state of a database's copy of a shard. */
    public enum Standing {
        /** The database serves the shard. */
        SERVING,

        /** The database still serves the shard, but is about to fence it, because it is moving. Statements wait. */
        FENCING,

        /** The database is the shard's home, but the shard is fenced, because it is moving. Statements wait. */
        FENCED,

        /** Another database has become the shard's home. This is an old copy. */
        LEFT
    }

    /**
     * Creates a record without a successor.
     *
     * @param shard the logical shard
     * @param database the name of the database
     * @param generation the generation of the shard, 1 or more
     * @param standing whether the database serves the shard
     */
    public ShardOwnership(int shard, String database, long generation, Standing standing) {
        this(shard, database, generation, standing, null);
    }

    /**
     * Creates a record of a database that serves a shard.
     *
     * @param shard the logical shard
     * @param database the name of the database
     * @param generation the generation of the shard, 1 or more
     */
    public ShardOwnership(int shard, String database, long generation) {
        this(shard, database, generation, Standing.SERVING);
    }
}
