package io.github.shardedid.move.internal.replication;

import java.sql.SQLException;

/** The changes of a shard that arrive at the target while its source serves it. */
public interface Arrivals extends AutoCloseable {
    /** Throws an exception if they do not arrive any more. */
    void checkApplied() throws SQLException;

    /** How many bytes of log the target is behind; -1 if unknown. */
    long lag() throws SQLException;

    /** Ends what this process does for them. */
    @Override
    void close() throws SQLException;
}
