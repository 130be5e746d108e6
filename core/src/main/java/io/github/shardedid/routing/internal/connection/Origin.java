package io.github.shardedid.routing.internal.connection;

/** Where a physical connection was taken from: the pool of a database, or that of a replica. */
@FunctionalInterface
public interface Origin {
    /** The name of the database; a replica's has the same content. */
    String database();

    default boolean isReplica() {
        return false;
    }

    /** For messages. */
    default String name() {
        return database();
    }
}
