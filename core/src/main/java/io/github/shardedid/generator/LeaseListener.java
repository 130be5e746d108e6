package io.github.shardedid.generator;

/**
 * Is notified of the leases of a {@link JvmIdSource}, for metrics. Each lease that was granted is lost or released in the end. All
 * methods do nothing by default. They are called by several threads, must be fast, and must not throw; {@link #fallback} is called
 * by the thread that needs an id.
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
     * A lease expired without being renewed, or was no longer needed and could not be released.
     *
     * @param shard the logical shard
     * @param node the node, from 0
     */
    default void lost(int shard, int node) {}

    /**
     * A lease was released, because the shard was not used or the source was closed.
     *
     * @param shard the logical shard
     * @param node the node, from 0
     */
    default void released(int shard, int node) {}

    /**
     * The database generates an id instead of the JVM; called once per id.
     *
     * @param shard the logical shard
     * @param reason why; never null
     */
    default void fallback(int shard, FallbackReason reason) {}
}
