package io.github.shardedid.topology;

import org.jspecify.annotations.Nullable;

/**
 * What a database says of a shard that it owns, or did.
 *
 * @param shard the logical shard
 * @param database the name of the database that said so
 * @param generation how often the shard has changed its home, from 1 up; of two owners the higher generation is right
 * @param standing whether the database serves the shard
 * @param successor the database that took the shard over from this one, as this one knows; null if it does not, or has not left it
 */
public record ShardOwnership(
        int shard, String database, long generation, Standing standing, @Nullable String successor) {
    /** How a database stands to a shard of which it has a copy. */
    public enum Standing {
        /** It serves the shard. */
        SERVING,

        /** It is the shard's home, but the shard is fenced, or about to be, as it leaves: statements had better wait. */
        FENCED,

        /** Another database has become the shard's home; what is left here is an old copy. */
        LEFT
    }

    /**
     * What a database says that knows of no successor.
     *
     * @param shard the logical shard
     * @param database the name of the database
     * @param generation how often the shard has changed its home, from 1 up
     * @param standing whether the database serves the shard
     */
    public ShardOwnership(int shard, String database, long generation, Standing standing) {
        this(shard, database, generation, standing, null);
    }

    /**
     * A database that serves a shard.
     *
     * @param shard the logical shard
     * @param database the name of the database
     * @param generation how often the shard has changed its home, from 1 up
     */
    public ShardOwnership(int shard, String database, long generation) {
        this(shard, database, generation, Standing.SERVING);
    }
}
