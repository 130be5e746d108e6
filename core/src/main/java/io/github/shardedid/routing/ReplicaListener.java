package io.github.shardedid.routing;

/**
 * Receives what becomes of the replicas of databases, for metrics. All methods do nothing by default. They are called by
 * several threads, during statements; they must be fast and throw nothing.
 */
public interface ReplicaListener {
    /** Why a database was read where a replica of it might have been. */
    enum Reason {
        /** The replica gave no connection, or it broke, just now or a short while ago. */
        UNREACHABLE,

        /** It is no replica of this database. */
        MISMATCH,

        /** It lacks a schema, a table or a column, perhaps only yet. */
        BEHIND,

        /** It cancelled the query to go on with its recovery. */
        CONFLICT
    }

    /**
     * A connection to a replica was taken from its pool.
     *
     * @param database the name of the database
     * @param replica the number of the replica in the list of that database's, from 0
     */
    default void used(String database, int replica) {}

    /**
     * The database itself was read, as no replica could be.
     *
     * @param database its name
     * @param reason why; of several replicas, that of the last one
     */
    default void fellBack(String database, Reason reason) {}

    /**
     * A replica can no longer be used, or can again.
     *
     * @param database the name of the database
     * @param replica the number of the replica in the list of that database's, from 0
     * @param usable whether it can be used from now on
     */
    default void changed(String database, int replica, boolean usable) {}
}
