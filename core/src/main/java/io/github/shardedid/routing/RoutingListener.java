package io.github.shardedid.routing;

import java.util.List;
import java.util.Set;

/**
 * Receives statements as they are executed, their waits for shards that move to another database, and what becomes of replicas: for
 * metrics and traces.
 * All methods do nothing by default. They are called by several threads, during statements; they must be fast and throw nothing.
 */
public interface RoutingListener {
    /** Receives nothing. */
    RoutingListener NONE = new RoutingListener() {};

    /** What a statement does. */
    enum Kind {
        /** It reads. */
        READ,

        /** It writes, or draws from a sequence. */
        WRITE,

        /** It is a query over several shards, or that part of one that a database is asked. */
        ALL_SHARDS
    }

    /** What ended a statement's wait. */
    enum Outcome {
        /** The shard belongs to another database now. */
        MOVED,

        /** The shard stays where it was: its move could not go on just then. */
        STAYED,

        /** The longest wait was over: the statement is sent to the old database, or refused if no database serves the shard. */
        TIMED_OUT
    }

    /**
     * A statement for one shard, or for the global entities, is being executed; a batch counts as one.
     *
     * @param kind {@link Kind#READ} or {@link Kind#WRITE}
     * @param target the shard, or the global entities
     * @param database the name of the database to which it is sent, over a replica perhaps
     * @return follows the execution
     */
    default Watch statement(Kind kind, Target.Single target, String database) {
        return Watch.NONE;
    }

    /**
     * A statement for some shards of a database is being executed, as a part of a query over several shards.
     *
     * @param shards the shards
     * @param database the name of the database to which it is sent, over a replica perhaps
     * @return follows the execution
     */
    default Watch statement(List<Integer> shards, String database) {
        return Watch.NONE;
    }

    /**
     * A query over several shards begins: it may wait for others to end, and its statements are executed, on several threads.
     *
     * @param shards how many it asks
     * @param databases the names of the databases that it asks
     * @return follows the query until all have answered
     */
    default Watch allShards(int shards, Set<String> databases) {
        return Watch.NONE;
    }

    /**
     * A query over several shards had to wait, as too many others were running.
     *
     * @param nanos how long it waited, in nanoseconds
     * @param given whether it could run then, rather than failed
     */
    default void queueWaited(long nanos, boolean given) {}

    /**
     * A statement begins to wait for its shard; {@link Watch#waited} is called when that ends with an outcome.
     *
     * @param shard the shard
     * @param database the name of the database that it leaves
     * @return follows the wait
     */
    default Watch waiting(int shard, String database) {
        return Watch.NONE;
    }

    /**
     * A replica can no longer be used, or can again.
     *
     * @param database the name of the database
     * @param replica the number of the replica in the list of that database's, from 0
     * @param usable whether it can be used from now on
     */
    default void replicaChanged(String database, int replica, boolean usable) {}

    /** Follows a piece of work to its end. It is closed on the thread on which it was made, innermost first. */
    interface Watch extends AutoCloseable {
        /** Does nothing. */
        Watch NONE = new Watch() {};

        /**
         * The work has failed; it ends now.
         *
         * @param failure with what
         */
        default void failed(Throwable failure) {}

        /**
         * A wait has ended.
         *
         * @param outcome what ended it
         */
        default void waited(Outcome outcome) {}

        /**
         * The calling thread, whichever, does a part of the work.
         *
         * @return is closed on that thread when the part is done
         */
        default Watch continued() {
            return NONE;
        }

        /** The work has ended. */
        @Override
        default void close() {}
    }
}
