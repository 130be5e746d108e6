package io.github.shardedid.benchmarks.jpa;

import io.github.shardedid.benchmarks.measure.Clients;
import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Many threads that share few connections: each finds a row of its own and one of somebody else, who lives on the other
 * database as often as not, and changes its own, in one transaction. Two pools of ten on one side, and on the other plain
 * JPA with a pool as large as both. A call that fails fails the measurement.
 */
public final class ThreadFigures {
    private static final int SHARDS = 8;
    private static final int ROWS = 400;
    private static final int THREADS = 200;
    private static final int CONNECTIONS = 10;

    private ThreadFigures() {}

    /** Measures many threads. */
    public static void measure(Extent extent, Section section) throws Exception {
        try (Clients threads = new Clients(THREADS)) {
            measure(extent, section, threads, THREADS + " threads on two pools of " + CONNECTIONS);
        }
    }

    /** Measures as many virtual threads. */
    public static void measureVirtual(Extent extent, Section section) throws Exception {
        try (Clients threads = Clients.virtual(THREADS)) {
            measure(extent, section, threads, THREADS + " virtual threads on two pools of " + CONNECTIONS);
        }
    }

    private static void measure(Extent extent, Section section, Clients threads, String what) throws Exception {
        try (ScaledShards shards = new ScaledShards(SHARDS, ROWS, Database.create(1), Database.create(2));
                PlainTable table = new PlainTable(ROWS, 2 * CONNECTIONS, Database.create(1))) {
            shards.resizePools(CONNECTIONS);
            int calls = THREADS * extent.of(50);
            Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
            ways.put("find", () -> threads.micros(calls, shards::findAny));
            ways.put("plain find", () -> threads.micros(calls, table::findAny));
            ways.put("update", () -> threads.micros(calls, shards::updateAny));
            ways.put("plain update", () -> threads.micros(calls, table::updateAny));
            Rounds rounds = Rounds.run(extent.rounds(20), ways);
            // Throughput is the inverse of the cost: at least 0.95 of plain JPA's is at most 1.05 of its cost.
            section.ratio(what + ": find by id ÷ plain JPA", 1.05, rounds, "find", "plain find", "µs");
            section.ratio(what + ": find two, update one ÷ plain JPA", 1.05, rounds, "update", "plain update", "µs");
            section.raw(what + ", µs", rounds);
        }
    }
}
