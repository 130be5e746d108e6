package io.github.shardedid.benchmarks.jpa;

import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Latencies;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.DelayedWire;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a user waits for: one call after the other, over a wire whose round trip takes half a millisecond, on both sides. */
public final class WireFigures {
    private static final int SHARDS = 8;
    private static final int ROWS = 16_000;
    private static final int CONNECTIONS = 8;

    private final Extent extent;
    private final Section section;
    private final ScaledShards shards;
    private final PlainTable table;
    private int calls;

    private WireFigures(Extent extent, Section section, ScaledShards shards, PlainTable table) {
        this.extent = extent;
        this.section = section;
        this.shards = shards;
        this.table = table;
    }

    /** Measures finds, saves and changes. */
    public static void measure(Extent extent, Section section) throws Exception {
        Database first = Database.create(1);
        Database second = Database.create(2);
        Database single = Database.create(1);
        try (DelayedWire toFirst = DelayedWire.to(first);
                DelayedWire toSecond = DelayedWire.to(second);
                DelayedWire toSingle = DelayedWire.to(single);
                ScaledShards shards = new ScaledShards(SHARDS, ROWS, toFirst.database(), toSecond.database());
                PlainTable table = new PlainTable(ROWS, CONNECTIONS, toSingle.database())) {
            WireFigures figures = new WireFigures(extent, section, shards, table);
            figures.compare("find by id in a transaction", 0.65, figures::find, table::findAny);
            figures.compare("save of an entity, id of the JVM,", 0.6, figures::saveByJvm, table::save);
            figures.compare("save of an entity, id of the database,", null, figures::saveByDatabase, table::save);
            figures.compare("find by id and update", 0.75, figures::update, figures::updatePlainly);
        }
    }

    private void compare(String what, @Nullable Double goal, Runnable ours, Runnable theirs) throws Exception {
        Latencies our = new Latencies();
        Latencies their = new Latencies();
        Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
        ways.put("ours", () -> micros(ours, our));
        ways.put("plain", () -> micros(theirs, their));
        Rounds measured = Rounds.run(extent.rounds(30), ways);
        section.ratio("0.5 ms to the server: " + what + " ÷ plain JPA", goal, measured, "ours", "plain", "µs");
        section.other(
                "0.5 ms to the server: " + what + " median / 99th percentile / longest (plain JPA)",
                "–",
                our.summary() + " (" + their.summary() + ")");
        section.raw(what + ", µs", measured);
    }

    private double micros(Runnable call, Latencies latencies) {
        int times = extent.of(200);
        long began = System.nanoTime();
        for (int i = 0; i < times; i++) {
            long start = System.nanoTime();
            call.run();
            latencies.add(System.nanoTime() - start);
        }
        return (System.nanoTime() - began) / 1e3 / times;
    }

    private long id() {
        return shards.ids().get(calls++ % shards.ids().size());
    }

    private void find() {
        shards.find(id());
    }

    private void saveByJvm() {
        shards.saveByJvm(calls++ % SHARDS);
    }

    private void saveByDatabase() {
        shards.saveByDatabase(calls++ % SHARDS);
    }

    private void update() {
        shards.sessions()
                .inTransaction(session -> ScaledShards.find(session, id()).caption = "changed by call " + calls);
    }

    private void updatePlainly() {
        table.sessions()
                .inTransaction(
                        session -> PlainTable.find(session, 1L + calls++ % ROWS).caption = "changed by call " + calls);
    }
}
