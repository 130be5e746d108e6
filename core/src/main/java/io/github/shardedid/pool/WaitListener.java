package io.github.shardedid.pool;

/** Receives how long callers of a pool wait. Called by their threads. */
public interface WaitListener {
    /** Does nothing. */
    WaitListener NONE = new WaitListener() {};

    /**
     * A caller got a connection.
     *
     * @param nanos how long it took, in nanoseconds
     */
    default void acquired(long nanos) {}

    /** A caller got none, since all connections were in use for as long as it may wait. */
    default void timedOut() {}
}
