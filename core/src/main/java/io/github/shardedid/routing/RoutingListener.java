package io.github.shardedid.routing;

/**
 * Is told of statements that met a shard on its way to another database, for metrics. All methods do nothing by default. They
 * are called by several threads, during statements; they must be fast and throw nothing.
 */
public interface RoutingListener {
    /** What ended a statement's wait. */
    enum Outcome {
        /** Another database has become the shard's home. */
        MOVED,

        /** The shard stays where it was: its move could not go on just then. */
        STAYED,

        /** The longest wait was over: the statement was sent to the old home. */
        TIMED_OUT
    }

    /**
     * A statement has waited.
     *
     * @param shard the shard for which it was meant
     * @param nanos how long it waited, in nanoseconds
     * @param outcome what ended the wait
     */
    default void waited(int shard, long nanos, Outcome outcome) {}

    /**
     * A statement that failed at a home that the shard has left, or was about to leave, is sent once more.
     *
     * @param shard the shard
     * @param from the name of the database where it failed
     * @param to the name of the one to which it is sent; the same one if the shard has stayed
     */
    default void repeated(int shard, String from, String to) {}

    /**
     * A statement failed for a move's sake, with a {@link ShardMovedException}.
     *
     * @param shard the shard
     * @param database the name of the database to which it was sent
     */
    default void refused(int shard, String database) {}
}
