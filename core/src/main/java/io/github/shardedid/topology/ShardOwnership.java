package io.github.shardedid.topology;

/**
 * What a database says of a shard that it owns, or did.
 *
 * @param shard the logical shard
 * @param database the name of the database that said so
 * @param generation how often the shard has changed its home, from 1 up; of two owners the higher generation is right
 * @param standing whether the database serves the shard
 */
public record ShardOwnership(int shard, String database, long generation, Standing standing) {
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
