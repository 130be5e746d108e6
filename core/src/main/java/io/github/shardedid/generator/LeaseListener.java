package io.github.shardedid.generator;

/**
 * Is told what becomes of a {@link JvmIdSource}'s leases, for metrics: a lease that was granted is lost or released in the
 * end. All methods do nothing by default. They are called by several threads, must be fast and throw nothing;
 * {@link #fallback} is called by the thread that needs an id.
 */
public interface LeaseListener {
    /**
     * A node was leased.
     *
     * @param shard the logical shard
     * @param node the node, from 0
     */
    default void granted(int shard, int node) {}

    /**
     * The lease of a node was extended.
     *
     * @param shard the logical shard
     * @param node the node, from 0
     */
    default void renewed(int shard, int node) {}

    /**
     * A lease ran out without having been renewed, or was no longer needed and could not be given back.
     *
     * @param shard the logical shard
     * @param node the node, from 0
     */
    default void lost(int shard, int node) {}

    /**
     * A lease was given back, because the shard was not used or the source was closed.
     *
     * @param shard the logical shard
     * @param node the node, from 0
     */
    default void released(int shard, int node) {}

    /**
     * The database is asked for an id instead; once per id.
     *
     * @param shard the logical shard
     * @param reason why
     */
    default void fallback(int shard, FallbackReason reason) {}
}
