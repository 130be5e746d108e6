package io.github.shardedid.benchmarks.nextid;

import io.github.shardedid.benchmarks.measure.Allocation;
import io.github.shardedid.benchmarks.servers.Database;
import java.sql.Connection;

/** Counts bytes of a server's write-ahead log. What else the server logs meanwhile counts too. */
final class WriteAheadLog {
    private WriteAheadLog() {}

    /** The bytes per id of some work that makes so many. */
    static double bytes(Connection connection, int ids, Allocation.Work work) throws Exception {
        String before = Database.query(connection, "SELECT pg_current_wal_insert_lsn()");
        work.run();
        String bytes = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '" + before + "')";
        return Database.number(connection, bytes) / ids;
    }

    /** Of ids made by a loop in the server. */
    static double dense(Connection connection, SqlWay way, String sequence, int ids) throws Exception {
        return bytes(connection, ids, () -> Database.execute(connection, loop(way.call(sequence), ids)));
    }

    /** Of ids each of which is the only one of its millisecond. */
    static double isolated(Connection connection, SqlWay way, String sequence, int ids) throws Exception {
        String sql = "SELECT %s, pg_sleep(%s) FROM generate_series(1, %d)";
        return bytes(
                connection,
                ids,
                () -> Database.execute(connection, sql.formatted(way.call(sequence), Paused.SECONDS, ids)));
    }

    static String loop(String call, int times) {
        return "SELECT count(" + call + ") FROM generate_series(1, " + times + ")";
    }
}
