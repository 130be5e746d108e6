package io.github.shardedid.benchmarks.index;

import io.github.shardedid.benchmarks.measure.Timed;
import io.github.shardedid.benchmarks.servers.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Reads of known rows by their ids, in an order that has nothing to do with that of the ids; none is read twice. */
final class ReadRows {
    private static final int SEED = 7;

    private final IdKind kind;
    private final Connection connection;
    private final List<Object> ids = new ArrayList<>();
    private int next;
    private double pages;
    private double misses;

    /** Of the rows from a number on, every so many. */
    ReadRows(IdKind kind, Connection connection, long from, long step) throws SQLException {
        this.kind = kind;
        this.connection = connection;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT id FROM " + kind.table + " WHERE user_id > " + from
                        + " AND user_id % " + step + " = 0")) {
            while (row.next()) {
                ids.add(row.getObject(1));
            }
        }
        Collections.shuffle(ids, new Random(SEED));
    }

    /** Microseconds per row that it takes to read the next ones. */
    double next(int count) throws Exception {
        double looked = pagesOf("blks_hit") + pagesOf("blks_read");
        double missed = pagesOf("blks_read");
        double micros;
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT user_id, caption FROM " + kind.table + " WHERE id = ?")) {
            micros = Timed.micros(count, () -> read(statement, ids.get(next++)));
        }
        pages += pagesOf("blks_hit") + pagesOf("blks_read") - looked;
        misses += pagesOf("blks_read") - missed;
        return micros;
    }

    private void read(PreparedStatement statement, Object id) throws SQLException {
        statement.setObject(1, id);
        try (ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                throw new IllegalStateException("A row of " + kind.table + " was not found by its id " + id);
            }
        }
    }

    /** Pages of the index and of the table. */
    private double pagesOf(String kindOfPages) throws SQLException {
        Database.query(connection, "SELECT pg_stat_force_next_flush()");
        return Database.number(
                connection,
                "SELECT heap_" + kindOfPages + " + idx_" + kindOfPages + " FROM pg_statio_user_tables WHERE relname = '"
                        + kind.table + "'");
    }

    double pagesOfARead() {
        return pages / next;
    }

    double missesOfARead() {
        return misses / next;
    }
}
