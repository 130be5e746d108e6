package io.github.shardedid.move.internal;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Held by the sessions of the process that is at work on a move, in both databases. So no session of a process that was cut off can
 * still be about to commit when another process looks how far the move is.
 */
final class ShardLock {
    private static final int LOCK_CLASS = 1_768_842_085;

    private ShardLock() {}

    static boolean tryTake(Connection connection, int shard) throws SQLException {
        return Sql.is(connection, "SELECT pg_try_advisory_lock(?, ?)", LOCK_CLASS, shard);
    }

    static void release(Connection connection, int shard) throws SQLException {
        Sql.rows(connection, "SELECT pg_advisory_unlock(?, ?)", LOCK_CLASS, shard);
    }
}
