package io.github.shardedid.benchmarks.nextid;

import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.measure.Timed;
import io.github.shardedid.benchmarks.servers.Database;
import java.util.List;
import java.util.Locale;

/** Inserts with the column's default, ours against every other way to make an id in a database. */
public final class InsertFigures {
    private static final int[] CLIENTS = {1, 8, 32};
    private static final int MILLIS_OF_CLIENTS = 1_000;
    private static final List<String> TABLES = List.of("bulk", "copied", "single", "paused", "logged");

    private final SqlWays ways;

    private InsertFigures(SqlWays ways) {
        this.ways = ways;
    }

    /** Measures inserts. */
    public static void measure(Extent extent, Section section) throws Exception {
        SqlWays.measure(extent, section, TABLES, ways -> new InsertFigures(ways).measure());
    }

    private void measure() throws Exception {
        for (SqlWay way : ways.ways()) {
            for (String table : TABLES) {
                way.createTable(ways.database(), table);
            }
        }
        bulk();
        copy();
        for (int clients : CLIENTS) {
            singleRows(clients);
        }
        isolatedRows();
        writeAheadLog();
        for (SqlWay way : ways.ways()) {
            ways.section()
                    .other(
                            "ids that came twice by " + way.label() + ": 1 M rows / single rows by 32 clients",
                            way == SqlWay.OURS ? "0 / 0" : "–",
                            repeated(way, "bulk") + " / " + repeated(way, "single"));
        }
    }

    private void bulk() throws Exception {
        int rows = ways.extent().of(1_000_000);
        ways.compare("`INSERT … SELECT` of 1 M rows", 0.6, ways.extent().rounds(3), "s", way -> {
            empty(way, "bulk");
            double micros = Timed.micros(
                    1,
                    () -> Database.execute(
                            ways.connection(),
                            "INSERT INTO " + way.table("bulk")
                                    + " (user_id, caption) SELECT i, 'a caption' FROM generate_series(1, " + rows
                                    + ") i"));
            expect(way, "bulk", rows);
            return micros / 1e6;
        });
    }

    /** The server makes the data itself, which it lets superusers do, so that all of the cost is its own. */
    private void copy() throws Exception {
        int rows = ways.extent().of(200_000);
        ways.compare(
                "`COPY` of 200,000 rows into a table with the default",
                1.0,
                ways.extent().rounds(),
                "ms",
                way -> {
                    empty(way, "copied");
                    String sql = "COPY " + way.table("copied") + " (user_id, caption) FROM PROGRAM 'yes \"1,a caption\""
                            + " | head -n " + rows + "' (DELIMITER ',')";
                    double micros = Timed.micros(1, () -> Database.execute(ways.connection(), sql));
                    expect(way, "copied", rows);
                    return micros / 1e3;
                });
    }

    private void singleRows(int clients) throws Exception {
        ways.compare(
                "`INSERT` of single rows, " + clients + (clients == 1 ? " client" : " clients, one table"),
                1.0,
                ways.extent().rounds(),
                "µs",
                way -> {
                    empty(way, "single");
                    return new IdClients(clients, ways.extent().of(MILLIS_OF_CLIENTS))
                            .micros(way.isUnique(), number -> inserting(way, "single"));
                });
    }

    private void isolatedRows() throws Exception {
        ways.compare(
                "`INSERT` of single rows, 1.3 ms apart, 1 client",
                1.0,
                ways.extent().rounds(),
                "µs",
                way -> {
                    empty(way, "paused");
                    try (SqlClient client = inserting(way, "paused")) {
                        return Paused.micros(ways.extent().of(500), client::call);
                    }
                });
    }

    private void writeAheadLog() throws Exception {
        int rows = ways.extent().of(20_000);
        for (SqlWay way : ways.ways()) {
            empty(way, "logged");
            try (SqlClient client = inserting(way, "logged")) {
                double dense = WriteAheadLog.bytes(ways.connection(), rows, () -> Timed.micros(rows, client::call));
                int paused = ways.extent().of(500);
                double isolated =
                        WriteAheadLog.bytes(ways.connection(), paused, () -> Paused.micros(paused, client::call));
                ways.section()
                        .other(
                                "bytes of WAL per inserted row with its commit, id by " + way.label()
                                        + ": dense / isolated",
                                "–",
                                String.format(Locale.ROOT, "%.0f / %.0f", dense, isolated));
            }
        }
    }

    /** Returns the id, as who inserts a row wants it. */
    private SqlClient inserting(SqlWay way, String table) throws Exception {
        return new SqlClient(
                ways.database(),
                "INSERT INTO " + way.table(table) + " (user_id, caption) VALUES (1, 'a caption') RETURNING id");
    }

    private void empty(SqlWay way, String table) throws Exception {
        Database.execute(ways.connection(), "TRUNCATE " + way.table(table));
        Database.execute(ways.connection(), "CHECKPOINT");
    }

    private void expect(SqlWay way, String table, int rows) throws Exception {
        String found = Database.query(ways.connection(), "SELECT count(*) FROM " + way.table(table));
        if (!found.equals(Integer.toString(rows))) {
            throw new IllegalStateException(found + " rows in " + way.table(table) + ", not " + rows);
        }
    }

    private String repeated(SqlWay way, String table) throws Exception {
        return Database.query(ways.connection(), "SELECT count(*) - count(DISTINCT id) FROM " + way.table(table));
    }
}
