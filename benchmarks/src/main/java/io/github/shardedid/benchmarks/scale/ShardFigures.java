package io.github.shardedid.benchmarks.scale;

import io.github.shardedid.benchmarks.jpa.ScaledShards;
import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.measure.Timed;
import io.github.shardedid.benchmarks.servers.Database;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The cost of a call with 2, 64 and many shards on two databases: the same number of rows in all, and calls that go through
 * as many rows, shard after shard. With many shards also for a process whose calls all go to 64 of them.
 */
public final class ShardFigures {
    private static final double FLAT = 1.1;
    private static final int TWO = 2;
    private static final int SOME = 64;
    private static final int CONNECTIONS = 10;
    /** Of each shard's statement: five until the driver prepares it, five until the server keeps its plan, and some more. */
    private static final int WARM_UPS = 15;

    private final Extent extent;
    private final List<Way> ways = new ArrayList<>();

    private ShardFigures(Extent extent, List<ScaledShards> scales, ScaledShards inParts) {
        this.extent = extent;
        int calls = extent.shards();
        ScaledShards many = scales.get(scales.size() - 1);
        for (ScaledShards scale : scales) {
            ways.add(new Way(scale, scale.shards(), calls, ""));
        }
        ways.add(new Way(inParts, inParts.shards(), calls, ", pools in parts"));
        ways.add(new Way(many, Math.min(SOME, many.shards() / 2), calls, ""));
    }

    /** Measures finds and saves. */
    public static void measure(Extent extent, Section section) throws Exception {
        int rows = 32 * extent.shards();
        List<ScaledShards> scales = new ArrayList<>();
        try {
            scales.add(on(TWO, rows));
            if (!extent.quick()) {
                scales.add(on(SOME, rows));
            }
            scales.add(on(extent.shards(), rows));
            ScaledShards inParts = scales.get(scales.size() - 1).inParts(CONNECTIONS);
            new ShardFigures(extent, List.copyOf(scales), inParts).measure(section);
            scales.add(0, inParts);
        } finally {
            scales.forEach(ScaledShards::close);
        }
    }

    private static ScaledShards on(int shards, int rows) throws Exception {
        return new ScaledShards(shards, rows, Database.create(1), Database.create(2));
    }

    /** Saves come last, so that the tables that are found in have not grown. */
    private void measure(Section section) throws Exception {
        measure(section, "find by id in a transaction", Way::find);
        measure(section, "save of an entity, id of the JVM,", Way::saveByJvm);
        measure(section, "save of an entity, id of the database,", Way::saveByDatabase);
    }

    private void measure(Section section, String what, Call call) throws Exception {
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
            section.ratio(what + " " + way + " ÷ " + base, FLAT, rounds, way.toString(), base, "µs");
        }
        section.raw(what + ", µs", rounds);
    }

    @FunctionalInterface
    private interface Call {
        void on(Way way);
    }

    /** Calls to some of the shards, one after the other. */
    private static final class Way {
        private final ScaledShards scale;
        private final String name;
        private final List<Long> ids;
        private final int[] shards;
        private int calls;

        Way(ScaledShards scale, int among, int calls, String pools) {
            this.scale = scale;
            name = (among == scale.shards() ? among + " shards" : among + " of " + scale.shards() + " shards") + pools;
            shards = scale.shardsInTurn(calls, among);
            ids = scale.idsOf(shards);
        }

        void find() {
            scale.find(ids.get(calls++ % ids.size()));
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
