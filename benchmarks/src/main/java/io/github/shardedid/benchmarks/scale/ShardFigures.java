package io.github.shardedid.benchmarks.scale;

import io.github.shardedid.benchmarks.jpa.ScaledShards;
import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.measure.Timed;
import io.github.shardedid.benchmarks.servers.Database;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a call with 2, 64 and many shards on two databases: the same number of rows in all, and calls that go through
 * as many rows, shard after shard. With many shards also for a process whose calls all go to 64 of them.
 */
public final class ShardFigures {
    private static final double FLAT = 1.1;
    private static final int TWO = 2;
    private static final int SOME = 64;
    /** Of each shard's statement: five until the driver prepares it, five until the server keeps its plan, and some more. */
    private static final int WARM_UPS = 15;

    private final Extent extent;
    private final List<Way> ways = new ArrayList<>();
    private final List<Way> whole;

    private ShardFigures(Extent extent, List<Scale> scales) {
        this.extent = extent;
        int calls = extent.shards();
        Scale many = scales.get(scales.size() - 1);
        for (Scale scale : scales) {
            ways.add(new Way(scale, scale.jpa().shards(), calls, ""));
        }
        whole = List.copyOf(ways);
        ways.add(new Way(many, Math.min(SOME, many.jpa().shards() / 2), calls, ""));
    }

    /** Hibernate and the driver alone, over the same shards. */
    private record Scale(ScaledShards jpa, DriverAlone driver) {
        void close() throws SQLException {
            driver.close();
            jpa.close();
        }
    }

    /** Measures finds and saves. */
    public static void measure(Extent extent, Section section) throws Exception {
        int rows = 32 * extent.shards();
        List<Scale> scales = new ArrayList<>();
        try {
            scales.add(on(TWO, rows));
            if (!extent.quick()) {
                scales.add(on(SOME, rows));
            }
            scales.add(on(extent.shards(), rows));
            new ShardFigures(extent, List.copyOf(scales)).measure(section);
        } finally {
            for (Scale scale : scales) {
                scale.close();
            }
        }
    }

    private static Scale on(int shards, int rows) throws Exception {
        Database first = Database.create(1);
        Database second = Database.create(2);
        return new Scale(new ScaledShards(shards, rows, first, second), new DriverAlone(shards, first, second));
    }

    /** Saves come last, so that the tables that are found in have not grown. */
    private void measure(Section section) throws Exception {
        measure(section, "find by id in a transaction", FLAT, ways, Way::find);
        measure(section, "find by the driver alone", null, whole, Way::findByDriver);
        measure(section, "save of an entity, id of the JVM,", FLAT, ways, Way::saveByJvm);
        measure(section, "save of an entity, id of the database,", FLAT, ways, Way::saveByDatabase);
        measure(section, "id of the database, row and commit by the driver alone", null, whole, Way::saveByDriver);
    }

    private void measure(Section section, String what, @Nullable Double goal, List<Way> ways, Call call)
            throws Exception {
        int calls = extent.of(200);
        Map<String, Rounds.Measurement> measured = new LinkedHashMap<>();
        for (Way way : ways) {
            int warmUps = WARM_UPS * extent.shards();
            for (int i = 0; i < warmUps; i++) {
                call.on(way);
            }
            measured.put(way.toString(), () -> Timed.micros(calls, () -> call.on(way)));
        }
        Rounds rounds = Rounds.run(extent.rounds(100), measured);
        String base = ways.get(0).toString();
        for (Way way : ways.subList(1, ways.size())) {
            section.ratio(what + " " + way + " ÷ " + base, goal, rounds, way.toString(), base, "µs");
        }
        section.raw(what + ", µs", rounds);
    }

    @FunctionalInterface
    private interface Call {
        void on(Way way) throws Exception;
    }

    /** Calls to some of the shards, one after the other. */
    private static final class Way {
        private final ScaledShards scale;
        private final DriverAlone driver;
        private final String name;
        private final List<Long> ids;
        private final int[] shards;
        private int calls;

        Way(Scale both, int among, int calls, String pools) {
            scale = both.jpa();
            driver = both.driver();
            name = (among == scale.shards() ? among + " shards" : among + " of " + scale.shards() + " shards") + pools;
            shards = scale.shardsInTurn(calls, among);
            ids = scale.idsOf(shards);
        }

        void find() {
            scale.find(ids.get(calls++ % ids.size()));
        }

        void findByDriver() throws SQLException {
            int call = calls++ % shards.length;
            driver.find(shards[call], ids.get(call));
        }

        void saveByDriver() throws SQLException {
            driver.save(shards[calls++ % shards.length]);
        }

        void saveByJvm() {
            scale.saveByJvm(shards[calls++ % shards.length]);
        }

        void saveByDatabase() {
            scale.saveByDatabase(shards[calls++ % shards.length]);
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
