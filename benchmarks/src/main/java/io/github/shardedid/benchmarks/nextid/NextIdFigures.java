package io.github.shardedid.benchmarks.nextid;

import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.id.IdLayout;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * {@code next_id} against the published function, in one database. Each measurement has a sequence of its own: one that a
 * burst has carried ahead of the clock would make the calls after it cheap.
 */
public final class NextIdFigures {
    private static final String OURS = "ours";
    private static final String PUBLISHED = "published";
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(1_300);

    private final Extent extent;
    private final Section section;

    NextIdFigures(Extent extent, Section section) {
        this.extent = extent;
        this.section = section;
    }

    /** Measures {@code next_id}. */
    public static void measure(Extent extent, Section section) throws Exception {
        new NextIdFigures(extent, section).measure();
    }

    private void measure() throws Exception {
        Database database = Database.create(1);
        try (ShardedDatabases sharded = ShardedDatabases.withTables(IdLayout.DEFAULT, 8, database);
                Connection connection = database.connect()) {
            PublishedFunction.install(database);
            for (String sequence :
                    new String[] {"dense", "statement", "paused", "isolated", "wal_dense", "wal_isolated"}) {
                database.execute("CREATE SEQUENCE shard_0005." + sequence + " MINVALUE 0");
            }
            dense(connection);
            perStatement(connection);
            isolated(connection);
            writeAheadLog(connection);
            new InsertFigures(extent, section, database).measure();
        }
    }

    private static String ours(String sequence) {
        return "shard_0005.next_id('shard_0005." + sequence + "')";
    }

    private static String published() {
        return PublishedFunction.SCHEMA + ".next_id()";
    }

    static Map<String, Rounds.Measurement> pair(Rounds.Measurement ours, Rounds.Measurement published) {
        Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
        ways.put(OURS, ours);
        ways.put(PUBLISHED, published);
        return ways;
    }

    static void note(Section section, String what, @Nullable Double goal, Rounds rounds, String unit) {
        section.ratio(what, goal, rounds, OURS, PUBLISHED, unit);
        section.raw(what + ", " + unit, rounds);
    }

    private void dense(Connection connection) throws Exception {
        int ids = extent.of(50_000);
        Rounds rounds = Rounds.run(
                6 * extent.rounds(),
                pair(
                        () -> nanosOf(connection, calls(ours("dense"), ids)) / ids / 1000,
                        () -> nanosOf(connection, calls(published(), ids)) / ids / 1000));
        note(section, "`next_id`, dense: a loop in the server", 0.4, rounds, "µs");
    }

    private static String calls(String call, int times) {
        return "SELECT count(" + call + ") FROM generate_series(1, " + times + ")";
    }

    private static double nanosOf(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            long start = System.nanoTime();
            statement.execute(sql);
            return System.nanoTime() - start;
        }
    }

    private void perStatement(Connection connection) throws Exception {
        int calls = extent.of(10_000);
        int paused = extent.of(500);
        try (PreparedStatement ours = connection.prepareStatement("SELECT " + ours("statement"));
                PreparedStatement published = connection.prepareStatement("SELECT " + published());
                PreparedStatement oursPaused = connection.prepareStatement("SELECT " + ours("paused"))) {
            note(
                    section,
                    "`next_id`, dense: one prepared statement per id",
                    null,
                    Rounds.run(extent.rounds(), pair(() -> micros(ours, calls, 0), () -> micros(published, calls, 0))),
                    "µs");
            note(
                    section,
                    "`next_id`, isolated: one prepared statement per id, 1.3 ms apart",
                    null,
                    Rounds.run(
                            extent.rounds(),
                            pair(
                                    () -> micros(oursPaused, paused, PAUSE_NANOS),
                                    () -> micros(published, paused, PAUSE_NANOS))),
                    "µs");
        }
    }

    /** The mean of a call without the slowest tenth, which the scheduler made. */
    private static double micros(PreparedStatement statement, int calls, long pauseNanos) throws SQLException {
        double[] nanos = new double[calls];
        for (int i = 0; i < calls; i++) {
            if (pauseNanos > 0) {
                LockSupport.parkNanos(pauseNanos);
            }
            long start = System.nanoTime();
            statement.execute();
            nanos[i] = System.nanoTime() - start;
        }
        return Arrays.stream(nanos)
                        .sorted()
                        .limit(Math.max(1, calls * 9L / 10))
                        .average()
                        .orElse(0)
                / 1000;
    }

    /** In the server, by its clock, so that no round trip hides the difference; the two take turns after each pause. */
    private void isolated(Connection connection) throws SQLException {
        int calls = extent.of(1_000);
        try (Statement statement = connection.createStatement()) {
            statement.execute(ISOLATED.replace("OURS", ours("isolated")).replace("PUBLISHED", published()));
            Rounds rounds = new Rounds();
            for (int round = -1; round < 2 * extent.rounds(); round++) {
                try (ResultSet row = statement.executeQuery("SELECT * FROM isolated(" + calls + ")")) {
                    row.next();
                    if (round >= 0) {
                        rounds.add(OURS, row.getDouble("ours"));
                        rounds.add(PUBLISHED, row.getDouble("published"));
                    }
                }
            }
            note(section, "`next_id`, isolated: calls in the server, 1.3 ms apart", 1.0, rounds, "µs");
        }
    }

    private static final String ISOLATED =
            """
            CREATE FUNCTION isolated(calls int, OUT ours float8, OUT published float8) LANGUAGE plpgsql AS $$
            DECLARE
              since timestamptz;
              id bigint;
              all_ours float8[];
              all_published float8[];
            BEGIN
              FOR i IN 1..calls LOOP
                PERFORM pg_sleep(0.0013);
                since := clock_timestamp();
                id := OURS;
                all_ours[i] := 1000000 * extract(epoch FROM clock_timestamp() - since);
                PERFORM pg_sleep(0.0013);
                since := clock_timestamp();
                id := PUBLISHED;
                all_published[i] := 1000000 * extract(epoch FROM clock_timestamp() - since);
              END LOOP;
              SELECT avg(x) INTO ours FROM (SELECT x FROM unnest(all_ours) x ORDER BY x LIMIT greatest(1, calls * 9 / 10)) t;
              SELECT avg(x) INTO published
                FROM (SELECT x FROM unnest(all_published) x ORDER BY x LIMIT greatest(1, calls * 9 / 10)) t;
            END
            $$
            """;

    private void writeAheadLog(Connection connection) throws SQLException {
        int dense = extent.of(100_000);
        int isolated = extent.of(500);
        String pauses = "SELECT %s, pg_sleep(0.0013) FROM generate_series(1, " + isolated + ")";
        section.other(
                "bytes of WAL per `next_id`: dense / isolated (the published function)",
                "–",
                "%.1f / %.0f (%.1f / %.1f)"
                        .formatted(
                                walOf(connection, calls(ours("wal_dense"), dense), dense),
                                walOf(connection, pauses.formatted(ours("wal_isolated")), isolated),
                                walOf(connection, calls(published(), dense), dense),
                                walOf(connection, pauses.formatted(published()), isolated)));
    }

    private static double walOf(Connection connection, String sql, int ids) throws SQLException {
        String before = Database.query(connection, "SELECT pg_current_wal_insert_lsn()");
        nanosOf(connection, sql);
        String bytes =
                Database.query(connection, "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '" + before + "')");
        return Double.parseDouble(bytes) / ids;
    }
}
