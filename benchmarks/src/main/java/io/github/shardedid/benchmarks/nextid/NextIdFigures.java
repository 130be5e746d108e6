package io.github.shardedid.benchmarks.nextid;

import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.measure.Timed;
import io.github.shardedid.benchmarks.servers.Database;
import java.util.List;
import java.util.Locale;

/**
 * {@code next_id} against every other way to make an id in a database. Each measurement has a sequence of its own: one that a
 * burst has carried ahead of the clock would make the calls after it cheap.
 */
public final class NextIdFigures {
    private static final int[] CLIENTS = {1, 2, 4, 8, 16, 32};
    private static final int MILLIS_OF_CLIENTS = 500;
    private static final List<String> SEQUENCES = List.of("dense", "paused", "isolated", "wal_dense", "wal_isolated");

    private final SqlWays ways;

    private NextIdFigures(SqlWays ways) {
        this.ways = ways;
    }

    /** Measures {@code next_id}. */
    public static void measure(Extent extent, Section section) throws Exception {
        SqlWays.measure(extent, section, SEQUENCES, ways -> new NextIdFigures(ways).measure());
    }

    private void measure() throws Exception {
        dense();
        isolatedInServer();
        isolatedStatements();
        for (int clients : CLIENTS) {
            statements(clients);
        }
        writeAheadLog();
    }

    private void dense() throws Exception {
        int ids = ways.extent().of(50_000);
        ways.compare(
                "one id, dense: a loop in the server",
                0.4,
                6 * ways.extent().rounds(),
                "µs",
                way -> Timed.micros(
                                1,
                                () -> Database.execute(ways.connection(), WriteAheadLog.loop(way.call("dense"), ids)))
                        / ids);
    }

    private void isolatedInServer() throws Exception {
        ways.note(
                "one id, isolated: calls in the server, 1.3 ms apart",
                1.0,
                PausedInServer.measure(
                        ways.connection(),
                        ways.ways(),
                        "isolated",
                        ways.extent().of(500),
                        2 * ways.extent().rounds()),
                "µs");
    }

    private void isolatedStatements() throws Exception {
        ways.compare(
                "one id, isolated: one prepared statement per id, 1.3 ms apart",
                1.0,
                ways.extent().rounds(),
                "µs",
                way -> {
                    try (SqlClient client = new SqlClient(ways.database(), "SELECT " + way.call("paused"))) {
                        return Paused.micros(ways.extent().of(500), client::call);
                    }
                });
    }

    private void statements(int clients) throws Exception {
        String sequence = "statement_" + clients;
        SqlWay.createSequence(ways.database(), sequence);
        ways.compare(
                "one id, one prepared statement per id, " + clients + (clients == 1 ? " client" : " clients"),
                1.0,
                ways.extent().rounds(),
                "µs",
                way -> new IdClients(clients, ways.extent().of(MILLIS_OF_CLIENTS))
                        .micros(
                                way.isUnique(),
                                number -> new SqlClient(ways.database(), "SELECT " + way.call(sequence))));
    }

    private void writeAheadLog() throws Exception {
        for (SqlWay way : ways.ways()) {
            ways.section()
                    .other(
                            "bytes of WAL per id by " + way.label() + ": dense / isolated",
                            "–",
                            String.format(
                                    Locale.ROOT,
                                    "%.1f / %.0f",
                                    WriteAheadLog.dense(
                                            ways.connection(),
                                            way,
                                            "wal_dense",
                                            ways.extent().of(100_000)),
                                    WriteAheadLog.isolated(
                                            ways.connection(),
                                            way,
                                            "wal_isolated",
                                            ways.extent().of(500))));
        }
    }
}
