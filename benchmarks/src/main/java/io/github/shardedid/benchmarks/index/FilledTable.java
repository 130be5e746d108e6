package io.github.shardedid.benchmarks.index;

import io.github.shardedid.benchmarks.servers.Database;
import java.sql.Connection;
import java.sql.SQLException;

/** A table of one kind of ids, which is filled batch by batch, and what that costs. */
final class FilledTable {
    private final IdKind kind;
    private final Connection connection;
    private long rows;
    private double walBytes;
    private double fullPages;

    FilledTable(IdKind kind, Connection connection) {
        this.kind = kind;
        this.connection = connection;
    }

    /** Microseconds per row that it takes to insert some more by one statement; a user's id is the row's number. */
    double insert(int more) throws SQLException {
        String wal = Database.query(connection, "SELECT pg_current_wal_insert_lsn()");
        double pages = number("SELECT wal_fpi FROM pg_stat_wal");
        long start = System.nanoTime();
        Database.execute(connection, kind.insert(rows + 1, rows + more));
        double micros = (System.nanoTime() - start) / 1e3 / more;
        walBytes += number("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '" + wal + "')");
        flushStatistics();
        fullPages += number("SELECT wal_fpi FROM pg_stat_wal") - pages;
        rows += more;
        return micros;
    }

    /** Whoever made an id twice has been stopped by the primary key already. */
    void requireAllRows() throws SQLException {
        if ((long) number("SELECT count(*) FROM " + kind.table) != rows) {
            throw new IllegalStateException("Not all of " + rows + " rows are in " + kind.table);
        }
    }

    private double number(String sql) throws SQLException {
        return Database.number(connection, sql);
    }

    /** What this session has done is counted at once. */
    private void flushStatistics() throws SQLException {
        Database.query(connection, "SELECT pg_stat_force_next_flush()");
    }

    double walBytesOfARow() {
        return walBytes / rows;
    }

    double fullPagesOfAThousandRows() {
        return fullPages * 1_000 / rows;
    }

    double indexBytesOfARow() throws SQLException {
        return number("SELECT pg_relation_size('" + kind.table + "_pkey')") / rows;
    }

    double tableBytesOfARow() throws SQLException {
        return number("SELECT pg_relation_size('" + kind.table + "')") / rows;
    }

    /** How often a page of the index had to be fetched into the shared buffers, per thousand rows. */
    double indexPagesOfAThousandRows() throws SQLException {
        flushStatistics();
        return number("SELECT idx_blks_read FROM pg_statio_user_indexes WHERE indexrelname = '" + kind.table + "_pkey'")
                * 1_000
                / rows;
    }

    /** Sets the hints of new rows, which the first readers would do otherwise. */
    void vacuum() throws SQLException {
        Database.execute(connection, "VACUUM ANALYZE " + kind.table);
    }

    /** Reads to come of so many random rows among those from a number on. */
    ReadRows reads(long from, int count) throws SQLException {
        return new ReadRows(kind, connection, from, Math.max(1, (rows - from) / count));
    }

    /** How large the index is, compared with one that is newly built, which is full to nine tenths. */
    double bloat() throws SQLException {
        double grown = indexBytesOfARow();
        Database.execute(connection, "REINDEX INDEX " + kind.table + "_pkey");
        return grown / indexBytesOfARow();
    }
}
