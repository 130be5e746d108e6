package io.github.shardedid.benchmarks.nextid;

import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Inserts with the column's default, ours against the published one. The index on the id is not unique, because the
 * published function repeats ids in both of these measurements, which would end them.
 */
public final class InsertFigures {
    private static final int CLIENTS = 32;

    private final Extent extent;
    private final Section section;
    private final Database database;

    InsertFigures(Extent extent, Section section, Database database) {
        this.extent = extent;
        this.section = section;
        this.database = database;
    }

    void measure() throws Exception {
        for (String table : new String[] {"bulk", "storm"}) {
            database.execute("CREATE SEQUENCE shard_0005." + table + "_id_seq MINVALUE 0");
            createTable("shard_0005." + table, "shard_0005.next_id('shard_0005." + table + "_id_seq')");
            createTable("insta5." + table, PublishedFunction.SCHEMA + ".next_id()");
        }
        NextIdFigures.note(
                section,
                "`INSERT … SELECT` of 1 M rows",
                0.6,
                Rounds.run(
                        extent.rounds(),
                        NextIdFigures.pair(() -> bulkSeconds("shard_0005"), () -> bulkSeconds("insta5"))),
                "s");
        NextIdFigures.note(
                section,
                "`INSERT` of single rows by 32 clients, one table",
                1.0,
                Rounds.run(
                        2 * extent.rounds(),
                        NextIdFigures.pair(() -> stormMicros("shard_0005"), () -> stormMicros("insta5"))),
                "µs");
        section.other(
                "ids that came twice in the last round: 1 M rows / 32 clients (the published function)",
                "0 / 0",
                "%s / %s (%s / %s)"
                        .formatted(
                                repeated("shard_0005.bulk"),
                                repeated("shard_0005.storm"),
                                repeated("insta5.bulk"),
                                repeated("insta5.storm")));
    }

    private void createTable(String table, String id) throws SQLException {
        database.execute("CREATE TABLE " + table + " (id bigint NOT NULL DEFAULT " + id
                + ", user_id bigint NOT NULL, caption text); CREATE INDEX ON " + table + " (id)");
    }

    private String repeated(String table) throws SQLException {
        try (Connection connection = database.connect()) {
            return Database.query(connection, "SELECT count(*) - count(DISTINCT id) FROM " + table);
        }
    }

    private double bulkSeconds(String schema) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            empty(statement, schema + ".bulk");
            long start = System.nanoTime();
            statement.execute("INSERT INTO " + schema + ".bulk (user_id, caption) SELECT i, 'a caption' FROM"
                    + " generate_series(1, " + extent.of(1_000_000) + ") i");
            return (System.nanoTime() - start) / 1e9;
        }
    }

    private static void empty(Statement statement, String table) throws SQLException {
        statement.execute("TRUNCATE " + table);
        statement.execute("CHECKPOINT");
    }

    /** The time per row over all clients. */
    private double stormMicros(String schema) throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            empty(statement, schema + ".storm");
        }
        CyclicBarrier start = new CyclicBarrier(CLIENTS);
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Callable<Long>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(() -> insert(schema, start));
            }
            long rows = 0;
            for (Future<Long> client : threads.invokeAll(clients)) {
                rows += client.get();
            }
            return (double) runMicros() / rows;
        } finally {
            threads.shutdownNow();
        }
    }

    private long runMicros() {
        return extent.of((int) TimeUnit.SECONDS.toMicros(2));
    }

    /** Inserts for a while, from the moment that all clients are connected. */
    private long insert(String schema, CyclicBarrier start) throws Exception {
        try (Connection connection = database.connect();
                PreparedStatement statement = connection.prepareStatement(
                        "INSERT INTO " + schema + ".storm (user_id, caption) VALUES (?, 'a caption')")) {
            start.await();
            long rows = 0;
            long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(runMicros());
            while (System.nanoTime() < end) {
                statement.setLong(1, rows++);
                statement.execute();
            }
            return rows;
        }
    }
}
